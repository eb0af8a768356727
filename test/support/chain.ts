import { afterAll, beforeAll } from 'vitest'
import {
  startChain,
  type ChainOptions,
  type StartedChain,
} from '../../src/simulator/sandbox/chain/start-chain.ts'

/**
 * A chain of its own for the tests around the call: started before the first of them and gone after the
 * last. Guard those tests with `describe.skipIf(needs('anvil'))`.
 */
export function testChain(options: ChainOptions = {}): () => StartedChain {
  let chain: StartedChain | null = null
  beforeAll(async () => {
    chain = await startChain(options)
  })
  afterAll(async () => {
    await chain?.close()
  })
  return () => {
    if (chain === null) throw new Error('the chain is there only while tests run')
    return chain
  }
}
