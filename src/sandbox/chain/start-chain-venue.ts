import type { SandboxOptionsInput } from '../options.ts'
import { startSandbox, type SandboxServer } from '../server.ts'
import type { World } from '../world/world.ts'
import { startChain, type ChainOptions, type StartedChain } from './start-chain.ts'

export type ChainVenue = {
  readonly server: SandboxServer
  readonly chain: StartedChain
  readonly close: () => Promise<void>
}

/** The venue in a box together with a chain of its own, which has a block a second unless said otherwise. */
export async function startChainVenue(
  options: SandboxOptionsInput & { readonly chain?: ChainOptions } = {},
  world?: World,
): Promise<ChainVenue> {
  const { chain: chainOptions, ...venue } = options
  const chain = await startChain({ blockSeconds: 1, ...chainOptions })
  try {
    const server = await startSandbox(venue, world, chain)
    const close = async () => {
      await server.close()
      await chain.close()
    }
    return { server, chain, close }
  } catch (error) {
    await chain.close()
    throw error
  }
}
