import { DAY_MS, type Ms } from '../../base/time.ts'
import type { Rate, RateBand } from '../../base/money/rate.ts'
import { position, settledPnl } from '../ledger/book/book.ts'
import { bandWithinReach } from '../market/window-reach.ts'
import { AnswerStretch, type MidPath, type RepeatedAnswer } from './answer-stretch.ts'
import { boundsOf } from './market/on-rate.ts'
import { quoteStableOf } from './model/config.ts'
import { dollars18 } from '../ledger/book/value.ts'
import { isAnyUnreadable } from '../ledger/reconciliation/unreadable.ts'
import { midAge } from '../market/market-state.ts'
import { gapBps } from '../market/execution-mid.ts'
import type { RiskRule } from '../alerts/risk-rules.ts'
import { nextLimitAt } from './decision/schedule.ts'
import { INPUTS, type LastQuestion } from './decision/inputs-read.ts'
import type { EngineState } from './model/state.ts'

/**
 * What may happen without a change of the decision: new mids within the band, on any path, before `until`. Only a rate or a public
 * rate with the same fee may come in between, with the same best spread if the strategy read it, and a confirmation of our quote if it
 * did not read what stands.
 */
export type Horizon = {
  /** The mid of the decision. */
  readonly mid: Rate
  /** Null until the first other mid: after most decisions none comes. */
  band: RateBand | null
  readonly until: Ms
  /** The bits of what the strategy read: an event that changes another input leaves its answer. */
  readonly read: number
  /** When time alone reaches a limit, so that a decision is due. */
  readonly limitAt: Ms
}

/** No bound: more than any mid. */
const ANY_MID: RateBand = { min: 0n, max: 10n ** 40n }

/** Returns the mids between which a rule stays unbreached, in whatever order they come, while the account is valued at the first one. */
type Band = (state: EngineState, mid: Rate) => RateBand

/**
 * What breaches a rule that is not breached: an event that is processed in full, the passing of time (see `nextLimitAt`), something
 * wrong with the market (see `isPlain`), or a mid outside a band. A rule without an entry does not compile; `unknown` allows no horizon.
 */
type Reach = 'event' | 'time' | 'market' | 'unknown' | Band

const REACHES: { readonly [rule in RiskRule]: Reach } = {
  operator: 'event',
  paused: 'event',
  guard: 'event',
  auth: 'event',
  'solver-changed': 'event',
  'cannot-value': 'event',
  'mid-missing': 'event',
  'mid-age': 'time',
  'mid-undated': 'market',
  'mid-step': 'market',
  'mid-move': 'market',
  'price-corridor': ({ config }) => config.risk.priceCorridor ?? ANY_MID,
  'venue-clock': 'market',
  'mid-invalid': 'market',
  'not-quotable': 'market',
  'reference-deviation': 'market',
  'inventory-limit': 'event',
  loss: lossBand,
  drawdown: fallBand,
  'fills-per-minute': 'event',
  'volume-per-day': 'event',
  'error-cycles': 'event',
  'fills-gap': 'event',
  'unexplained-balance': 'event',
  'quote-not-held': 'event',
  'foreign-hand': 'event',
  unreadable: 'time',
  'fill-price': 'event',
  'foreign-write': 'event',
  'wallet-changed': 'event',
  'unasked-pairs': 'event',
  review: 'event',
  'strategy-suspended': 'event',
  crossed: 'event',
  'out-of-range': 'event',
  withdrawal: 'event',
  shutdown: 'event',
  deactivating: 'event',
}

const BANDS = Object.values(REACHES).filter((reach) => typeof reach === 'function')
const IS_ANY_UNKNOWN = Object.values(REACHES).includes('unknown')

/** The inputs of a strategy that change with time alone, and with a new mid. */
const TIMED = INPUTS.time | INPUTS.markouts
const PRICED = INPUTS.mid | INPUTS.fairValue

/**
 * Returns the horizon of the last decision; null = the next event may change it. `reconcileAt` is that of the last audit. Only research
 * asks for it: live, every event is concluded.
 */
export function horizonOf(
  state: EngineState,
  reconcileAt: Ms,
  question: LastQuestion | null,
): Horizon | null {
  const { decision, market, strategy, book } = state
  const { mid } = market
  if (decision === null || decision.findings.length > 0 || mid === null || !isPlain(state)) return null
  if (question === null || strategy.wanted === null || (question.inputs & TIMED) !== 0) return null
  if (IS_ANY_UNKNOWN || isSpecial(state)) return null
  if (book.pnl.mark !== mid && market.reference === null) return null
  // A mid that was seen again since the decision is younger than it was then.
  const limitAt = nextLimitAt(state, state.now)
  const until = Math.min(reconcileAt, limitAt, dayEnd(state.now))
  return until <= state.now ? null : { mid, band: null, read: question.inputs, limitAt, until }
}

/** Returns the band of a horizon. Call it the first time before the state has another mid than the decision. */
export function horizonBand(state: EngineState, horizon: Horizon): RateBand {
  return (horizon.band ??= bandAround(state, horizon))
}

/** A strategy that read the mid is asked about every other one. */
function bandAround(state: EngineState, { mid, read }: Horizon): RateBand {
  const alone = { min: mid, max: mid }
  if ((read & PRICED) !== 0) return alone
  const band = BANDS.map((within) => within(state, mid)).reduce(common, ANY_MID)
  return mid < band.min || mid > band.max ? alone : band
}

/** Whether something is under way for which no horizon is declared. */
function isSpecial({
  exiting,
  config,
  guard,
  latch,
  fairShift,
  reconciliation,
  prices,
  flow,
}: EngineState): boolean {
  if (exiting || config.rfq !== null || guard !== undefined || latch.halted !== null) return true
  if (fairShift !== undefined || isAnyUnreadable(reconciliation)) return true
  return (prices?.suspects.length ?? 0) > 0 || flow.unexplained.length > 0
}

/** Returns whether the state after an update is still within the horizon of the decision before it. */
export function isWithinHorizon(state: EngineState, { mid: decided, band, until }: Horizon): boolean {
  const { market, now } = state
  const { mid } = market
  if (now >= until || mid === null || !isPlain(state)) return false
  if (mid !== decided && (band === null || mid < band.min || mid > band.max)) return false
  // A date that goes back brings the limit of the age nearer.
  const { maxMidAgeMs } = state.config.risk
  const age = maxMidAgeMs === null ? null : midAge(market, now)
  return maxMidAgeMs === null || age === null || now + maxMidAgeMs - age + 1 >= until
}

/** Returns whether the state after a PATCH was answered is still within the horizon of the decision before it. */
export function isConfirmedWithin(state: EngineState, horizon: Horizon): boolean {
  const { status, mismatches, unaskedPairs } = state.quoting
  const isHeld = status === 'confirmed' && mismatches === 0 && unaskedPairs === undefined
  return isHeld && (horizon.read & INPUTS.standing) === 0 && isWithinHorizon(state, horizon)
}

/** One mid for every pair, at most so far from GET /rate that no rule is breached, without live feeds and without anything wrong with it. */
function isPlain({ market, config }: EngineState): boolean {
  const { maxReferenceDeviationBps } = config.risk
  return (
    market.quotable !== false &&
    market.problem === null &&
    market.pending === null &&
    market.refusal === null &&
    market.estimate === null &&
    market.pairs === undefined &&
    (maxReferenceDeviationBps === null || Math.abs(gapBps(market) ?? 0) <= maxReferenceDeviationBps)
  )
}

/** Begins a stretch at the state of an updated core; null = the next answer has to be processed in full. */
export function beginStretch(
  state: EngineState,
  horizon: Horizon,
  path: MidPath,
  repeated: RepeatedAnswer,
): AnswerStretch | null {
  const { market, config, now } = state
  const { mid } = market
  const { until, read } = horizon
  if (mid === null || !isQuiet(state) || !isRepeated(state, repeated)) return null
  const reach = bandWithinReach(market, mid, boundsOf(config), now)
  if (reach === null) return null
  const oldest = until - (config.risk.maxMidAgeMs ?? Infinity) - 1
  const stretch = new AnswerStretch(state, path, common(horizonBand(state, horizon), reach), oldest, repeated)
  return (read & INPUTS.competition) !== 0 && stretch.hasNewBest() ? null : stretch
}

/** Returns whether new mids change only the market, the mark and the history. */
function isQuiet({ market, flow, errorCycles, authRefusals }: EngineState): boolean {
  const { gap, rateUpdatedAt, everDated } = market
  if (market.reference !== null || everDated !== (rateUpdatedAt !== null) || errorCycles > 0) return false
  if (gap !== undefined && (gap.isFirst || gap.isReturn === true || gap.isReported)) return false
  if (market.isPublicGone === true || market.isPublicFailing === true) return false
  for (const _request in authRefusals) return false
  return flow.pairMarkouts === undefined
}

/** Returns whether the last answers were the same but for the mid, its date and the best spreads. */
function isRepeated({ market, config }: EngineState, repeated: RepeatedAnswer): boolean {
  const { quotable, protocolFeeBps, isProbed } = repeated
  if (quotable !== null && quotable !== market.quotable) return false
  if (!isProbed) return market.gap === undefined
  return (
    market.publicMid !== null &&
    market.feeWords?.public === protocolFeeBps &&
    quoteStableOf(config) === 'USDC'
  )
}

/**
 * With U dollars and the total T at the mid m, the total at a mid x is T + U (x - m). A tape with a reference is marked to it, whatever
 * the mid.
 */
function lossBand({ book, market, config }: EngineState, mid: Rate): RateBand {
  const { maxLossTzs } = config.risk
  const dollars = dollars18(position(book))
  if (maxLossTzs === null || market.reference !== null || dollars === 0n) return ANY_MID
  const reach = (maxLossTzs + settledPnl(book).totalTzs) / dollars
  return dollars > 0n ? { ...ANY_MID, min: mid - reach } : { ...ANY_MID, max: mid - reach }
}

/** The side that loses keeps half of the drawdown that is left, so that a rise to the better end and a fall to the other stay within it. */
function fallBand({ book, market, config }: EngineState, mid: Rate): RateBand {
  const { maxDrawdownTzs } = config.risk
  const dollars = dollars18(position(book))
  if (maxDrawdownTzs === null || market.reference !== null || dollars === 0n) return ANY_MID
  const { totalTzs, peakTzs } = settledPnl(book)
  const left = maxDrawdownTzs - (peakTzs - totalTzs)
  const size = dollars > 0n ? dollars : -dollars
  const [worse, better] = [left / 2n / size, (maxDrawdownTzs - left / 2n) / size]
  return dollars > 0n ? { min: mid - worse, max: mid + better } : { min: mid - better, max: mid + worse }
}

function common(one: RateBand, other: RateBand): RateBand {
  return { min: one.min > other.min ? one.min : other.min, max: one.max < other.max ? one.max : other.max }
}

/** The figures of a day begin with its first event. */
function dayEnd(t: Ms): Ms {
  return (Math.floor(t / DAY_MS) + 1) * DAY_MS
}
