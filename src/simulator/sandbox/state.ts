import { invariant } from '../../base/result.ts'
import { seededRandom, type Random } from '../../base/random.ts'
import type { Ms } from '../../base/time.ts'
import { type Amounts, type TokenAmounts, ASSETS, parseTokens, zeroAmounts } from '../../base/money/asset.ts'
import { parseRate, type Rate, rateToNumber } from '../../base/money/rate.ts'
import type { RfqOrder } from '../../core/rfq/rfq-order.ts'
import { createRateLimit, type RateLimit } from './api/rate-limit.ts'
import type { SignatureShape } from './api/signed-order.ts'
import type { Faults, NextRequest } from './faults.ts'
import { createFillRows, type FillRows, happens } from './market/fill-rows.ts'
import { createProvider, setCompetitorQuote, type Provider } from './market/provider.ts'
import type { SandboxOptions } from './options.ts'
import type { World } from './world/world.ts'

/** The status of a signed order set through the control API, which overrides the chain's. */
type OrderMark = 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'INVALID'

export type TakenOrder = {
  readonly hash: string
  readonly expiry: Ms
  readonly at: Ms
  readonly order: RfqOrder
  readonly signature: SignatureShape
}

/** The whole state of the venue. Changed in place, only by the functions of this room. */
export type VenueState = {
  readonly options: SandboxOptions
  readonly world: World
  /** When the simulated venue was opened. */
  readonly startMs: Ms
  now: Ms
  mid: Rate
  midNumber: number
  rateUpdatedAt: Ms
  notQuotableUntil: Ms
  outageUntil: Ms
  faults: Faults
  readonly nextRequests: NextRequest[]
  readonly providers: Provider[]
  readonly ours: Provider
  readonly fillRows: FillRows
  fillCount: number
  /** Counter-accounts: together with every pool and wallet they always sum to the openings, per asset. */
  readonly fees: TokenAmounts
  readonly takers: TokenAmounts
  readonly reserve: TokenAmounts
  readonly external: TokenAmounts
  /** Fractions of a token's unit that the measured venue kept: from payouts, fees and ended positions. */
  readonly rests: Amounts
  /** Of the partner API, by address in lower case or by a name: they sum with the counter-accounts. */
  readonly accounts: Map<string, TokenAmounts>
  /** The amount by which claims on the pool exceed its holdings; such an asset cannot be returned. */
  readonly poolShortfall: TokenAmounts
  readonly timeline: Timeline
  isActivating: boolean
  /** When the first activation ended; null = none has. */
  activatedAt: Ms | null
  spreadUpdatedAt: Ms
  selfCustody: boolean
  readonly orders: Map<string, TakenOrder>
  readonly orderMarks: Map<string, OrderMark>
  readonly keyLimit: RateLimit
  readonly publicLimit: RateLimit
  readonly usedIdempotencyKeys: Set<string>
  /** When a taker's wallet has finished its swap. */
  readonly swapsInFlight: Map<string, Ms>
  readonly counters: Record<string, number>
  readonly random: Readonly<Record<'faults' | 'fills' | 'ids', Random>>
}

/** Monday morning in Dar es Salaam: the bare model's default start. */
export const DEFAULT_START_MS: Ms = Date.UTC(2026, 2, 2, 6)

export function createVenueState(options: SandboxOptions, world: World): VenueState {
  const startMs = options.startMs ?? DEFAULT_START_MS
  const ours = createProvider('ours', true, options.isActive, openingAmounts(options))
  ours.bidBps = options.spread.bidBps
  ours.askBps = options.spread.askBps
  const mid = publishedMid(world.openingMid)
  const stream = (label: string) => seededRandom(options.seed, `sandbox ${label}`)
  return {
    options,
    world,
    startMs,
    now: startMs,
    mid: mid.rate,
    midNumber: mid.number,
    rateUpdatedAt: world.openingPrintedAt,
    notQuotableUntil: 0,
    outageUntil: 0,
    faults: options.faults,
    nextRequests: [],
    providers: [ours, ...world.competitors.map(competitor)],
    ours,
    fillRows: createFillRows(),
    fillCount: 0,
    fees: zeroAmounts(),
    takers: zeroAmounts(),
    reserve: zeroAmounts(),
    external: zeroAmounts(),
    rests: zeroAmounts(),
    accounts: new Map(),
    poolShortfall: zeroAmounts(),
    timeline: createTimeline(),
    isActivating: false,
    activatedAt: options.isActive ? startMs : null,
    spreadUpdatedAt: startMs,
    selfCustody: false,
    orders: new Map(),
    orderMarks: new Map(),
    keyLimit: createRateLimit(options.requestsPerMinute),
    publicLimit: createRateLimit(options.publicRequestsPerMinute),
    usedIdempotencyKeys: new Set(),
    swapsInFlight: new Map(),
    counters: {},
    random: { faults: stream('faults'), fills: stream('fills'), ids: stream('ids') },
  }
}

function openingAmounts(options: SandboxOptions): TokenAmounts {
  const amounts = zeroAmounts()
  for (const asset of ASSETS) {
    const parsed = parseTokens(options.opening[asset], asset)
    invariant(parsed.ok, `the options' schema let a bad opening of ${asset} through`)
    amounts[asset] = parsed.value
  }
  return amounts
}

function competitor(opening: World['competitors'][number]): Provider {
  const provider = createProvider(opening.name, false, true, opening.amounts, opening.refills)
  setCompetitorQuote(provider, opening.bidBps, opening.askBps)
  return provider
}

export function count(venue: VenueState, name: string): void {
  venue.counters[name] = (venue.counters[name] ?? 0) + 1
}

/** Draws whether a fault of this name occurs, and counts it. Draws only if its probability is above 0. */
export function strikes(
  venue: VenueState,
  fault: string,
  chance: number,
  random: Random = venue.random.faults,
): boolean {
  const isStruck = happens(chance, random)
  if (isStruck) count(venue, `fault ${fault}`)
  return isStruck
}

export function isoTime(at: Ms): string {
  return new Date(at).toISOString()
}

/** Publishes a mid, dated now. */
export function publishMid(venue: VenueState, mid: Rate): void {
  const published = publishedMid(mid)
  venue.mid = published.rate
  venue.midNumber = published.number
  venue.rateUpdatedAt = venue.now
}

/**
 * Returns the mid as the venue holds it: exactly the JSON number that it shows. More digits would price fills that no
 * outsider could recompute.
 */
function publishedMid(mid: Rate): { readonly rate: Rate; readonly number: number } {
  const number = rateToNumber(mid)
  const parsed = parseRate(number)
  invariant(parsed.ok, 'a mid of the simulated market must be a rate')
  return { rate: parsed.value, number }
}

/** Scheduled events in virtual time. Equal times keep the order in which they were added. */
type Timeline = {
  /** Infinity = nothing is scheduled. */
  peekAt(): Ms
  add(at: Ms, run: () => void): void
  /** Removes the first event and runs it. */
  runNext(): void
}

function createTimeline(): Timeline {
  const tasks: { readonly at: Ms; readonly run: () => void }[] = []
  return {
    peekAt: () => tasks[0]?.at ?? Number.POSITIVE_INFINITY,
    add(at, run) {
      let index = tasks.length
      while (index > 0 && (tasks[index - 1] as { at: Ms }).at > at) index -= 1
      tasks.splice(index, 0, { at, run })
    },
    runNext() {
      tasks.shift()?.run()
    },
  }
}
