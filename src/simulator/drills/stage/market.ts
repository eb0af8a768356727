import { openHttpClient } from '../../../base/http/client.ts'
import { HOUR_MS, type Ms } from '../../../base/time.ts'
import {
  type Amounts,
  ASSETS,
  formatAmount,
  STABLE_ASSETS,
  toBook,
  type TokenAmounts,
} from '../../../base/money/asset.ts'
import { type Rate, RATE_ONE, rateToNumber } from '../../../base/money/rate.ts'
import type { Injection } from '../../sandbox/inject.ts'
import type { SandboxOptionsInput } from '../../sandbox/options.ts'
import type { StartedChain } from '../../sandbox/chain/start-chain.ts'
import { type SandboxServer, startChainVenue, startSandbox } from '../../sandbox/server/server.ts'
import type { World } from '../../sandbox/world/world.ts'
import type { ConfigFile } from '../../../daemon/config/schema/schema.ts'
import type { StuckPayment } from '../model/stuck-payment.ts'
import { capitalToRefill, middleOf, openingCapital } from '../model/capital.ts'
import { type DrillChain, openDrillChain } from './chain.ts'
import { type DrillPartner, drillPartner, hangingRails } from './partner.ts'
import { createChainTakers, createDrillTakers, type DrillTakers } from './takers.ts'

/** The key of the drill's venue. */
export const DRILL_KEY = 'mm_test_drill'

/** The live quote at the venue; null = the side is off. */
type VenueQuote = {
  readonly isActive: boolean
  readonly bidBps: number | null
  readonly askBps: number | null
}

/** A simulated venue in which only the drill causes events. */
export type DrillMarket = DrillTakers & {
  readonly url: string
  readonly feedUrl: string
  /** Null = the capital is pooled. */
  readonly chain: DrillChain | null
  readonly partner: DrillPartner
  readonly quote: () => Promise<VenueQuote>
  readonly inject: (injection: Injection) => Promise<void>
  /** Moves that amount of the position's tokens out of the pool, or out of the wallet of signed orders, without the daemon. */
  readonly steal: (asset: 'USDC' | 'USDT', amount: bigint) => Promise<void>
  readonly advance: (ms: Ms) => Promise<void>
  /** Sends a request with the position's key from another client. Returns the venue's status, 0 without an answer. */
  readonly asStranger: (method: 'PATCH' | 'POST', path: string, body: object) => Promise<number>
  /** Reads the account with the position's key from another client, which counts against the key's limit. */
  readonly askWithKey: () => Promise<number>
  /** Moves the market's own rate; the venue's published rate stays unchanged. */
  readonly moveTruth: (bps: number) => void
  /** The venue publishes the market's own rate. */
  readonly publishTruth: () => Promise<void>
  /** True while the venue publishes no rates itself. */
  readonly isFrozen: () => boolean
  readonly fillCount: () => number
  /** Dollars that the position has at the venue. */
  readonly capitalUsd: () => number
  readonly holdings: () => Amounts
  /** Returns the value of these holdings at the market's own rate, USD with 18 decimals. */
  readonly worth: (holdings: Amounts) => bigint
  readonly close: () => Promise<void>
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 1_048_576, connections: 4 } as const

/**
 * Opens the venue with capital that fits the limits, inactive: the daemon activates it. `like` overrides the venue
 * settings of the configuration. `stuck`: the rails of the partner API hang, and the treasury has this payment to
 * make.
 */
export async function openMarket(
  config: ConfigFile,
  like: SandboxOptionsInput = {},
  stuck: StuckPayment | null = null,
): Promise<DrillMarket> {
  const mid = middleOf(config.risk.priceCorridor ?? { min: 2_300n * RATE_ONE, max: 2_900n * RATE_ONE })
  let truth = mid
  const venue = await openVenue(config, { ...like, ...startOf(config, mid, stuck) }, mid, () => truth)
  const { server } = venue
  const { ours } = server.model.state
  const sender = openSender(server.url)
  const control = controlOf(server, sender)
  const { advance, inject } = control
  const chain =
    venue.chain === null
      ? null
      : await openDrillChain(venue.chain, config, {
          post: sender.post,
          model: server.model,
          truth: () => truth,
        })
  if (chain !== null) await sender.send('PUT', '/api/v1/mm/custody', { enabled: true })
  const stable = (config.quote.pairs ?? ['USDC']).includes('USDC') ? 'USDC' : 'USDT'
  return {
    ...(chain === null
      ? createDrillTakers(server.model, stable, { inject, catchUp: () => advance(0), truth: () => truth })
      : createChainTakers(chain)),
    url: server.url,
    feedUrl: server.feedUrl ?? '',
    chain,
    partner: drillPartner(server.model),
    ...control,
    async steal(asset, amount) {
      const from = chain === null ? 'pool' : 'wallet'
      await inject({ steal: { asset, amount: formatAmount(amount), from } })
      // The next call executes on chain what the books already contain.
      await advance(0)
    },
    asStranger: sender.send,
    askWithKey: () => sender.send('GET', '/api/v1/mm/account', null),
    moveTruth: (bps) => {
      truth = (truth * BigInt(10_000 + Math.round(bps))) / 10_000n
    },
    publishTruth: () => inject({ print: { mid: rateToNumber(truth) } }),
    capitalUsd: () => Number(worthAt(held(ours.pool, ours.wallet), truth) / 10n ** 12n) / 1e6,
    holdings: () => held(ours.pool, ours.wallet),
    worth: (holdings) => worthAt(holdings, truth),
    async close() {
      await sender.close()
      await venue.close()
    },
  }
}

type Control = Pick<DrillMarket, 'advance' | 'inject' | 'quote' | 'isFrozen' | 'fillCount'>

/** Every call of the control API first lets the venue's clock catch up. */
function controlOf({ model }: SandboxServer, { send }: Sender): Control {
  const { ours } = model.state
  const advance = async (ms: Ms) => void (await send('POST', '/sandbox/advance', { ms }))
  return {
    advance,
    async inject(injection) {
      await advance(0)
      model.inject(injection)
    },
    async quote() {
      await advance(0)
      const { isActive, quoteBid, quoteAsk, bidBps, askBps } = ours
      return { isActive, bidBps: quoteBid ? bidBps : null, askBps: quoteAsk ? askBps : null }
    },
    isFrozen: () => model.state.faults.frozenMid,
    fillCount: () => ours.fills.length,
  }
}

/** Returns capital and rails, which a learned venue profile does not contain. */
function startOf(config: ConfigFile, mid: Rate, stuck: StuckPayment | null): SandboxOptionsInput {
  const capital =
    stuck?.kind === 'refill' ? capitalToRefill(config, mid, stuck.asset) : openingCapital(config, mid)
  return { opening: { ...capital }, partner: hangingRails(stuck) }
}

type OpenedVenue = {
  readonly server: SandboxServer
  readonly chain: StartedChain | null
  readonly close: () => Promise<void>
}

/** Opens the venue; a desk in self-custody gets its own chain, on which only the drill fills orders. */
async function openVenue(
  config: ConfigFile,
  like: SandboxOptionsInput,
  mid: Rate,
  truth: () => Rate,
): Promise<OpenedVenue> {
  const { venue } = config
  const options: SandboxOptionsInput = {
    requestsPerMinute: venue.requestsPerMinute,
    publicRequestsPerMinute: Math.max(60, venue.publicRequestsPerMinute),
    bidFormula: venue.bidFormula,
    protocolFeeBps: venue.protocolFeeBps,
    toleranceBps: venue.toleranceBps,
    ...like,
    feedPort: 0,
    apiKey: DRILL_KEY,
    activationDelayMs: 500,
    solver: { policy: 'never' },
  }
  if (config.rfq !== null) return startChainVenue(options, quietWorld(mid, truth))
  const server = await startSandbox(options, quietWorld(mid, truth))
  return { server, chain: null, close: () => server.close() }
}

type Method = 'GET' | 'PATCH' | 'POST' | 'PUT'

type Sender = {
  readonly send: (method: Method, path: string, body: object | null) => Promise<number>
  /** The body of an answer with status 200; null = any other answer, or no answer. */
  readonly post: (path: string, body: object) => Promise<string | null>
  readonly close: () => Promise<void>
}

function openSender(origin: string): Sender {
  const http = openHttpClient(LIMITS)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${DRILL_KEY}` }
  const ask = (method: Method, path: string, body: object | null) =>
    http.send({ origin, method, path, headers, body: body === null ? null : JSON.stringify(body) })
  return {
    async send(method, path, body) {
      const sent = await ask(method, path, body)
      return sent.ok ? sent.value.status : 0
    },
    async post(path, body) {
      const sent = await ask('POST', path, body)
      return sent.ok && sent.value.status === 200 ? sent.value.text : null
    },
    close: http.close,
  }
}

/** Only the position quotes, and only the drill trades; a feed shows the market's own rate. */
function quietWorld(openingMid: Rate, truth: () => Rate): World {
  return {
    openingMid,
    openingPrintedAt: Date.now() - HOUR_MS,
    competitors: [],
    marketRateAt: truth,
    peekAt: () => Number.POSITIVE_INFINITY,
    next() {
      throw new Error('nothing happens in the market of a drill by itself')
    },
  }
}

function held(pool: TokenAmounts, wallet: TokenAmounts): Amounts {
  const sums = ASSETS.map((asset) => [asset, toBook(pool[asset] + wallet[asset], asset)] as const)
  return Object.fromEntries(sums) as Amounts
}

function worthAt(holdings: Amounts, rate: Rate): bigint {
  const dollars = STABLE_ASSETS.reduce((sum, asset) => sum + holdings[asset], 0n)
  return dollars + (holdings.NTZS * RATE_ONE) / rate
}
