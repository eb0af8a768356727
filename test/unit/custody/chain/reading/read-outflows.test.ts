import { describe, expect, onTestFinished, test } from 'vitest'
import type { ChainSettings } from '../../../../../src/custody/chain/chain.ts'
import { openChain } from '../../../../../src/custody/chain/open-chain.ts'
import { TRANSFER } from '../../../../../src/custody/chain/reading/read-logs.ts'
import { MAKER, scriptedNode, scriptedSettings, type ScriptedNode } from '../scripted-node.ts'

const THIEF = `0x${'7'.repeat(40)}`
const TX = `0x${'c'.repeat(64)}`
const word = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}`

async function chainOf(node: ScriptedNode, more: Partial<ChainSettings> = {}) {
  const settings = scriptedSettings([node], { watchTransfers: true, ...more })
  const chain = await openChain(settings, { account: null, now: Date.now, transactionsFile: null })
  if (!chain.ok) throw new Error(chain.error)
  onTestFinished(() => chain.value.close())
  return { chain: chain.value, usdc: settings.tokens.USDC ?? '0x' }
}

/** A node whose token contracts tell of these transfers; of fills it tells as it believes. */
async function nodeThatTells(logs: (usdc: string) => readonly object[]) {
  const node = await scriptedNode({})
  onTestFinished(() => node.close())
  const opened = await chainOf(node)
  node.nodeState.script = (method, [filter]) => {
    const topics = (filter as { topics?: readonly string[] } | undefined)?.topics
    return method === 'eth_getLogs' && topics?.[0] === TRANSFER ? logs(opened.usdc) : undefined
  }
  return { ...opened, node }
}

const transfer = (usdc: string, change: object = {}) => ({
  address: usdc,
  topics: [TRANSFER, word(MAKER), word(THIEF)],
  data: word('0x4c4b40'),
  blockNumber: '0x63',
  transactionHash: TX,
  logIndex: '0x2',
  removed: false,
  ...change,
})

describe('a transfer out of the wallet', () => {
  test('a transfer out of the wallet is in the reading of its block, with token, amount, receiver and transaction', async () => {
    const { chain } = await nodeThatTells((usdc) => [transfer(usdc)])
    const reading = await chain.read([], 98n)
    expect(reading).toMatchObject({
      ok: true,
      value: {
        outflows: [{ key: `${TX}:2`, asset: 'USDC', amount: 5_000_000n, to: THIEF, block: 99n, txHash: TX }],
      },
    })
  })

  test('a transfer in a removed block, or of nothing, is not reported', async () => {
    const { chain } = await nodeThatTells((usdc) => [
      transfer(usdc, { removed: true }),
      transfer(usdc, { data: word('0x0') }),
    ])
    const reading = await chain.read([], 98n)
    expect(reading.ok && reading.value.outflows).toBeUndefined()
  })

  test.each([
    ['of a token that was not asked for', () => ({ address: THIEF })],
    ['of another sender', () => ({ topics: [TRANSFER, word(THIEF), word(MAKER)] })],
    ['of a block outside the range', () => ({ blockNumber: '0x1' })],
    ['without an amount', () => ({ data: '0x' })],
    ['that is no log', () => null],
  ])('%s makes the whole answer malformed, and no reading of it counts', async (_, change) => {
    const { chain } = await nodeThatTells((usdc) => {
      const changed = change()
      return [changed === null ? (5 as unknown as object) : transfer(usdc, changed)]
    })
    expect(await chain.read([], 98n)).toMatchObject({ ok: false, error: { kind: 'malformed' } })
  })

  test('without watchTransfers a reading sends no request for transfers', async () => {
    const node = await scriptedNode({})
    onTestFinished(() => node.close())
    const { chain } = await chainOf(node, { watchTransfers: false })
    const topics: unknown[] = []
    node.nodeState.script = (method, [filter]) => {
      if (method === 'eth_getLogs') topics.push((filter as { topics: readonly unknown[] }).topics[0])
      return undefined
    }
    expect((await chain.read([], 98n)).ok).toBe(true)
    expect(topics).not.toContain(TRANSFER)
  })
})
