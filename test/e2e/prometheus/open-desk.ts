import {
  type SandboxServer,
  startChainVenue,
  startSandbox,
} from '../../../src/simulator/sandbox/server/server.ts'
import type { StartedChain } from '../../../src/simulator/sandbox/chain/start-chain.ts'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { allowMaker } from '../../support/chain-venue.ts'
import { scriptedWorld } from '../../unit/simulator/sandbox/scripted-world.ts'
import {
  BUSY_VENUE,
  positionFolder,
  type ConfigPatch,
  type PositionFolder,
} from '../daemon/position-folder.ts'
import { API_KEY } from '../daemon/running-daemon.ts'

/** A position at a venue of its own where nothing happens that a test does not make happen. */
export type Desk = {
  readonly name: string
  readonly venue: SandboxServer
  readonly folder: PositionFolder
  readonly config: string
  readonly close: () => Promise<void>
}

export type CustodyDesk = Desk & { readonly chain: StartedChain }

/** The environment variable that holds the key of a desk in self-custody. */
export const MAKER_KEY_NAME = 'MIZANI_TEST_MAKER_KEY'

/** A dozen desks share two processors: each asks often enough for a test, and waits for answers that come late. */
const UNHURRIED = {
  venue: { requestTimeoutMs: 8_000 },
  pacing: {
    fillsIntervalMs: 500,
    rateIntervalMs: 800,
    balancesIntervalMs: 1_000,
    accountIntervalMs: 2_000,
    quoteCheckIntervalMs: 2_000,
  },
} as const

const LADDER = `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'two-orders',
  params: z.strictObject({}),
  init: () => null,
  quote: ({ mid }) => ({
    bidBps: 60,
    askBps: 60,
    reasons: ['one order a side'],
    orders: [
      { side: 'ask', stable: 'USDC', usd: 100, tzsPerUsd: mid * 0.98 },
      { side: 'bid', stable: 'USDC', usd: 100, tzsPerUsd: mid * 1.02 },
    ],
  }),
})
`

/** Pooled and active. The mid is 2500 and was published a moment ago. */
export async function openDesk(
  name: string,
  patch: (folder: PositionFolder, venue: SandboxServer) => ConfigPatch = () => ({}),
  options: SandboxOptionsInput = {},
): Promise<Desk> {
  const venue = await startSandbox(
    { ...BUSY_VENUE, isActive: true, activationDelayMs: 50, ...options },
    scriptedWorld(),
  )
  venue.model.inject({ print: { mid: '2500' } })
  const folder = positionFolder(venue.url, name)
  const { pacing, ...rest } = patch(folder, venue)
  const config = folder.configure({
    ...UNHURRIED,
    ...rest,
    pacing: { ...UNHURRIED.pacing, ...(pacing as object) },
  })
  return {
    name,
    venue,
    folder,
    config,
    async close() {
      await venue.close()
      folder.remove()
    },
  }
}

/** In self-custody on a chain with a block a second, one order a side. */
export async function openCustodyDesk(name: string, options: SandboxOptionsInput = {}): Promise<CustodyDesk> {
  const {
    server: venue,
    chain,
    close,
  } = await startChainVenue({ ...BUSY_VENUE, solver: { policy: 'never' }, ...options }, scriptedWorld())
  venue.model.inject({ print: { mid: '2500' } })
  await allowMaker(chain)
  await fetch(`${venue.url}/api/v1/mm/custody`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ enabled: true }),
  })
  const folder = positionFolder(venue.url, name)
  const config = folder.configure({
    ...UNHURRIED,
    strategy: { use: folder.write('two-orders.ts', LADDER), params: {} },
    rfq: {
      chainId: chain.chainId,
      solver: chain.accounts.solver.address,
      maker: chain.accounts.maker.address,
      tokens: chain.tokens.address,
      rpc: { urls: [chain.url] },
      signer: { envKey: `!env ${MAKER_KEY_NAME}`, allowInLive: true },
      confirmations: 2,
      pollMs: 500,
    },
  })
  return {
    name,
    venue,
    chain,
    folder,
    config,
    async close() {
      await close()
      folder.remove()
    },
  }
}
