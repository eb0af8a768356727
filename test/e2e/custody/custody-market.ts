import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ChainOptions,
  startChain,
  type StartedChain,
} from '../../../src/simulator/sandbox/chain/start-chain.ts'
import { CHAIN_TOKENS } from '../../../src/simulator/sandbox/chain/etch-contracts.ts'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import type { Hex, RfqOrder } from '../../../src/core/rfq/rfq-order.ts'
import { scriptedWorld } from '../../unit/simulator/sandbox/scripted-world.ts'
import {
  BUSY_VENUE,
  positionFolder,
  type ConfigPatch,
  type PositionFolder,
} from '../daemon/position-folder.ts'
import { API_KEY, runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import type { SignedOrder } from './chain-truth.ts'
import { startHttpProxy, type HttpProxy, type ProxyRules } from './http-proxy.ts'

export type CustodyMarket = {
  readonly chain: StartedChain
  readonly venue: SandboxServer
  /** Between the daemon and the venue. */
  readonly door: HttpProxy
  /** Between the daemon and the chain. */
  readonly wire: HttpProxy
  readonly folder: PositionFolder
  readonly config: string
  /** Every order that ever arrived at the door, whatever became of it then. */
  readonly sent: readonly SignedOrder[]
  /** The door's rule while nothing else is wanted of it. */
  readonly noteSent: ProxyRules['onRequest']
  /** What the configuration takes from the environment. */
  readonly env: Readonly<Record<string, string>>
  /** The strategy's file. */
  readonly ladder: string
  readonly configure: (patch: ConfigPatch) => string
  readonly start: (env?: Readonly<Record<string, string>>) => RunningDaemon
  readonly close: () => Promise<void>
}

export type CustodyMarketOptions = {
  readonly venue?: SandboxOptionsInput
  readonly chain?: ChainOptions
  readonly rfq?: ConfigPatch
  readonly patch?: ConfigPatch
  readonly ladder?: Readonly<Record<string, unknown>>
  /** What the maker lets the exchange take; everything unless said otherwise. */
  readonly allowance?: bigint
  readonly custody?: boolean
  /** The daemon's program, where it is not the sources that run. */
  readonly program?: string
}

const LADDER = fileURLToPath(new URL('test-ladder.ts', import.meta.url))
const PLENTY = 10n ** 30n

/** A chain, a venue on it, a maker in self-custody with allowances, and a configuration that polls fast. */
export async function openCustodyMarket(options: CustodyMarketOptions = {}): Promise<CustodyMarket> {
  const chain = await startChain({ blockSeconds: 1, ...options.chain })
  const venue = await startSandbox({ ...BUSY_VENUE, ...options.venue }, scriptedWorld(), chain)
  const door = await startHttpProxy(venue.url)
  const wire = await startHttpProxy(chain.url)
  const sent: SignedOrder[] = []
  const noteSent: ProxyRules['onRequest'] = (passing) => {
    if (passing.path.endsWith('/rfq/orders')) sent.push(signedOrder(passing.body))
    return 'pass'
  }
  door.rules.onRequest = noteSent
  const folder = positionFolder(door.url)
  // Not in this package: whose '#kit' it means is for the daemon to say.
  const ladder = folder.write('ladder.ts', readFileSync(LADDER, 'utf8'))
  const env = { MAKER_KEY: chain.accounts.maker.key }
  const configure = (patch: ConfigPatch) =>
    folder.configure({
      strategy: { use: ladder, params: options.ladder ?? {} },
      // Chain and proxies answer late on a busy machine, and an order without an answer is signed anew.
      venue: { requestTimeoutMs: 8_000 },
      quote: { minRequoteIntervalMs: 0, onExit: 'deactivate' },
      ...options.patch,
      ...patch,
      rfq: {
        chainId: chain.chainId,
        solver: chain.accounts.solver.address,
        // The signer's own limits are for its own tests.
        maxOrderUsd: 100_000,
        maxOutstandingUsd: 1_000_000,
        maxSignaturesPerMinute: 600,
        maker: chain.accounts.maker.address,
        tokens: chain.tokens.address,
        rpc: { urls: [wire.url] },
        signer: { envKey: '!env MAKER_KEY', allowInLive: true },
        confirmations: 2,
        pollMs: 300,
        expiryMs: 80_000,
        refreshMs: 20_000,
        ...options.rfq,
        ...(patch['rfq'] as object | undefined),
      },
    })
  const config = configure({})
  if (options.custody !== false) await setCustody(venue, true)
  for (const { asset } of CHAIN_TOKENS)
    await chain.tokens.approve(
      asset,
      chain.accounts.maker.address,
      chain.exchange,
      options.allowance ?? PLENTY,
    )
  return {
    chain,
    venue,
    door,
    wire,
    folder,
    config,
    sent,
    noteSent,
    env,
    ladder,
    configure,
    start: (more = {}) =>
      runDaemon({
        configs: [join(folder.path, 'mizani.yaml')],
        env: { ...env, ...more },
        ...(options.program === undefined ? {} : { program: options.program }),
      }),
    async close() {
      await door.close()
      await wire.close()
      await venue.close()
      await chain.close()
      folder.remove()
    },
  }
}

export async function setCustody(venue: SandboxServer, enabled: boolean): Promise<void> {
  const { status, text } = await askVenue(venue, 'PUT', '/custody', { enabled })
  if (status !== 200) throw new Error(text)
}

/** The venue itself, with the key, past the proxy. */
export async function askVenue(
  { url }: SandboxServer,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${url}/api/v1/mm${path}`, {
    method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

function signedOrder(body: string): SignedOrder {
  const { order, signature } = JSON.parse(body) as {
    order: Record<keyof RfqOrder, string>
    signature: SignedOrder['signature']
  }
  return { order: orderOf(order), signature }
}

function orderOf(text: Record<keyof RfqOrder, string>): RfqOrder {
  const hex = (name: keyof RfqOrder) => text[name].toLowerCase() as Hex
  return {
    makerToken: hex('makerToken'),
    takerToken: hex('takerToken'),
    makerAmount: BigInt(text.makerAmount),
    takerAmount: BigInt(text.takerAmount),
    maker: hex('maker'),
    taker: hex('taker'),
    txOrigin: hex('txOrigin'),
    pool: hex('pool'),
    expiry: BigInt(text.expiry),
    salt: BigInt(text.salt),
  }
}
