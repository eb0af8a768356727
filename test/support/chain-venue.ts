import { afterAll, beforeAll } from 'vitest'
import { startChainVenue, type ChainVenue } from '../../src/simulator/sandbox/server/server.ts'
import type { SandboxOptionsInput } from '../../src/simulator/sandbox/options.ts'
import type { ChainOptions, StartedChain } from '../../src/simulator/sandbox/chain/start-chain.ts'
import { scriptedWorld } from '../unit/simulator/sandbox/scripted-world.ts'

export type VenueReply = { readonly status: number; readonly json: Record<string, unknown> }

export type VenueOnChain = ChainVenue & {
  /** Below /api/v1/mm with the key, unless the path starts with /sandbox. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<VenueReply>
}

/**
 * A venue on a chain of its own for the tests around the call. Nothing moves unless told to: no takers, no solver,
 * a block for each transaction only, and no limit of requests.
 */
export function chainVenue(
  options: SandboxOptionsInput & { readonly chain?: ChainOptions } = {},
): () => VenueOnChain {
  let venue: VenueOnChain | null = null
  beforeAll(async () => {
    const started = await startChainVenue(
      {
        activationDelayMs: 0,
        withdrawalDelayMs: 0,
        requestsPerMinute: 1_000_000,
        solver: { policy: 'never' },
        chain: { blockSeconds: null },
        ...options,
      },
      scriptedWorld(),
    )
    venue = { ...started, ask: asker(started) }
  })
  afterAll(async () => {
    await venue?.close()
  })
  return () => {
    if (venue === null) throw new Error('the venue is there only while tests run')
    return venue
  }
}

/** The section `rfq` of a configuration whose maker is this chain's; its key is in MIZANI_TEST_KEY. */
export function rfqSection({ chainId, accounts, tokens, url }: StartedChain): Record<string, unknown> {
  const { NTZS, USDC, USDT } = tokens.address
  return {
    chainId,
    maker: accounts.maker.address,
    tokens: { NTZS, USDC, USDT },
    rpc: { urls: [url] },
    signer: { envKey: '!env MIZANI_TEST_KEY', allowInLive: true },
    confirmations: 2,
    pollMs: 200,
    approve: { NTZS: '30000000', USDC: '9000.5' },
  }
}

/** Lets the exchange take all that the maker has. */
export async function allowMaker({ tokens, accounts, exchange }: StartedChain): Promise<void> {
  for (const asset of ['NTZS', 'USDC', 'USDT'] as const) {
    await tokens.approve(asset, accounts.maker.address, exchange, 10n ** 36n)
  }
}

function asker({ server }: ChainVenue): VenueOnChain['ask'] {
  return async (method, path, body) => {
    const answer = await fetch(server.url + (path.startsWith('/sandbox') ? path : `/api/v1/mm${path}`), {
      method,
      headers: {
        authorization: `Bearer ${server.model.options.apiKey}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
  }
}
