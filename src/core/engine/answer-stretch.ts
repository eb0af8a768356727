import type { Ms } from '../../base/time.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { Side } from '../../base/money/side.ts'
import { markToMarket } from '../ledger/book/book.ts'
import { recordMidInForce } from '../market/mid-bounds.ts'
import { bandWithinReach } from '../market/window-reach.ts'
import { expedite } from '../pacing/reschedule.ts'
import { requestDecision } from './decision/pending.ts'
import type { Horizon } from './horizon.ts'
import { boundsOf } from './market/on-rate.ts'
import { quoteStableOf } from './model/config.ts'
import type { EngineState } from './model/state.ts'
import { pushFirst } from './safeguards/quote-history.ts'

/** The place of a mid that does not exist. */
const NONE = -1
/** Room for mids from outside of a column. */
const ROOM = 16

/** Mids by place: exactly, and as doubles, which have the order of the exact mids unless they are equal. */
export class MidPlaces {
  readonly rates: Rate[]
  /** TZS per USD. */
  readonly tzs: Float64Array
  readonly #column: readonly Rate[]

  constructor(column: readonly Rate[]) {
    this.rates = [...column]
    this.#column = column
    this.tzs = new Float64Array(column.length + ROOM)
    for (const [place, rate] of column.entries()) this.tzs[place] = Number(rate) / 1e18
  }

  isOf(column: readonly Rate[]): boolean {
    return column === this.#column
  }

  /** Forgets the mids from outside of the column. */
  clear(): void {
    this.rates.length = this.#column.length
  }

  /** Returns a place for a mid from outside of the column. */
  add(rate: Rate): number {
    this.tzs[this.rates.length] = Number(rate) / 1e18
    return this.rates.push(rate) - 1
  }

  isEqual(one: number, other: number): boolean {
    return one === other || (this.tzs[one] === this.tzs[other] && this.rates[one] === this.rates[other])
  }
}

/** What every answer of a stretch repeats. Its venue has the core's clock. */
export type RepeatedAnswer = {
  readonly quotable: boolean | null
  readonly protocolFeeBps: number
  readonly best: Readonly<Record<Side, number | null>>
  /** The public rate is polled. */
  readonly isProbed: boolean
}

/**
 * Answers with new mids and dates within the horizon, taken as numbers. The state after `end` is that of a core that was updated from
 * each of them (test/property/backtest/stretch.test.ts). Made by `beginStretch`.
 */
export class AnswerStretch {
  /** The answers that the core would have received, and the last of them. */
  answers = 0
  lastType: 'rate' | 'bestQuote' = 'rate'
  lastAt: Ms = 0
  /** When the last of them requested a decision; -Infinity = none did. */
  decidedAt: Ms = -Infinity
  readonly #state: EngineState
  readonly #places: MidPlaces
  /** The mids within all bounds, exclusive, and the oldest date that brings no limit of the age into the horizon. */
  readonly #lowest: number
  readonly #highest: number
  readonly #oldest: Ms
  readonly #isDated: boolean
  #mid: number
  #publicMid: number
  /** The figure of GET /rate while the public rate names another one. */
  #gap: number
  #gapSince: Ms
  #gapSeenAt: Ms
  #datedAt: Ms
  #rateAt: Ms = -Infinity
  #bidAt: Ms
  #askAt: Ms

  constructor(state: EngineState, places: MidPlaces, mid: Rate, min: Rate, max: Rate, oldest: Ms) {
    const { publicMid, gap, rateUpdatedAt, competition } = state.market
    this.#state = state
    this.#places = places
    this.#lowest = Math.max(0, Number(min) / 1e18)
    this.#highest = Number(max) / 1e18
    this.#oldest = oldest
    this.#isDated = rateUpdatedAt !== null
    this.#mid = places.add(mid)
    this.#publicMid = publicMid === null ? NONE : places.add(publicMid)
    this.#gap = gap === undefined ? NONE : places.add(gap.rate)
    this.#gapSince = gap?.since ?? 0
    this.#gapSeenAt = gap?.seenAt ?? 0
    this.#datedAt = rateUpdatedAt ?? Number.NaN
    this.#bidAt = competition.bid?.seenAt ?? 0
    this.#askAt = competition.ask?.seenAt ?? 0
  }

  /** Returns whether answers at `t` or later may have this mid and date; NaN = not dated. */
  admits(mid: number, datedAt: Ms, t: Ms): boolean {
    const tzs = this.#places.tzs[mid]!
    if (tzs <= this.#lowest || tzs >= this.#highest) return false
    return this.#isDated ? datedAt <= t && datedAt >= this.#oldest : Number.isNaN(datedAt)
  }

  /** Takes an answer of GET /rate. False = it has to be processed in full, and changed nothing. */
  rate(mid: number, datedAt: Ms, t: Ms): boolean {
    // A figure that still differs keeps the two apart.
    if (this.#gap !== NONE && !this.#places.isEqual(mid, this.#publicMid)) return false
    this.#count('rate', t)
    this.#gap = NONE
    this.#rateAt = t
    const isNew = !this.#places.isEqual(mid, this.#mid)
    if (isNew || (this.#isDated && datedAt !== this.#datedAt)) this.decidedAt = t
    this.#datedAt = datedAt
    if (isNew) this.#adopt(mid, t, true)
    return true
  }

  /** Takes an answer of the public rate, unless it repeats the last one (see `repeatsPublicRate`). */
  publicRate(isBid: boolean, mid: number, t: Ms): void {
    const isNews = !this.#places.isEqual(mid, this.#publicMid)
    const isInForce = this.#places.isEqual(mid, this.#mid)
    if (this.#gap === NONE && isInForce && !isNews) return
    this.#count('bestQuote', t)
    if (isBid) this.#bidAt = t
    else this.#askAt = t
    if (this.#places.isEqual(this.#gap === NONE ? this.#mid : this.#gap, mid)) this.#gap = NONE
    else {
      if (this.#gap === NONE) {
        this.#gap = this.#mid
        this.#gapSince = t
      }
      this.#gapSeenAt = t
    }
    this.#publicMid = mid
    if (!isNews || isInForce) return
    this.decidedAt = t
    expedite(this.#state.pacing, 'rate')
    this.#adopt(mid, t, false)
  }

  #count(type: 'rate' | 'bestQuote', t: Ms): void {
    this.answers += 1
    this.lastType = type
    this.lastAt = t
  }

  #adopt(mid: number, t: Ms, isFromKey: boolean): void {
    const { market, book, history, flow } = this.#state
    const rate = this.#places.rates[mid]!
    recordMidInForce(market, market.mid, rate, t, false)
    market.previousMid = market.mid
    market.mid = rate
    markToMarket(book, rate)
    market.midSource = isFromKey ? 'key' : 'public'
    if (history.mids[0] !== rate) pushFirst(history.mids, rate)
    if (flow.markouts !== undefined) flow.markouts.updatedAt = isFromKey && this.#isDated ? this.#datedAt : t
    this.#mid = mid
  }

  /** Completes the state. */
  end(): void {
    const { market } = this.#state
    const { rates } = this.#places
    const datedAt = this.#isDated ? this.#datedAt : null
    if (this.decidedAt !== -Infinity) requestDecision(this.#state, 'rate')
    if (this.#rateAt !== -Infinity) {
      market.rateUpdatedAt = datedAt
      market.seenAt = this.#rateAt
      market.ageWhenSeen = datedAt === null ? null : Math.max(0, this.#rateAt - datedAt)
    }
    const { bid, ask } = market.competition
    if (bid !== null) bid.seenAt = this.#bidAt
    if (ask !== null) ask.seenAt = this.#askAt
    if (this.#publicMid !== NONE) market.publicMid = rates[this.#publicMid]!
    const [since, seenAt] = [this.#gapSince, this.#gapSeenAt]
    market.gap =
      this.#gap === NONE
        ? undefined
        : { rate: rates[this.#gap]!, rateSeenAt: since, since, seenAt, isFirst: false, isReported: false }
  }
}

/** Begins a stretch at the state of an updated core; null = the next answer has to be processed in full. */
export function beginStretch(
  state: EngineState,
  { band, until }: Horizon,
  places: MidPlaces,
  repeated: RepeatedAnswer,
): AnswerStretch | null {
  const { market, config, now } = state
  const { mid } = market
  if (mid === null || !isQuiet(state) || !isRepeated(state, repeated)) return null
  const reach = bandWithinReach(market, mid, boundsOf(config), now)
  if (reach === null) return null
  const min = band.min > reach.min ? band.min : reach.min
  const max = band.max < reach.max ? band.max : reach.max
  const oldest = until - (config.risk.maxMidAgeMs ?? Infinity) - 1
  return new AnswerStretch(state, places, mid, min, max, oldest)
}

/** Returns whether new mids change only the market, the mark and the history. */
function isQuiet({ market, flow, errorCycles, authRefusals }: EngineState): boolean {
  const { gap, rateUpdatedAt, everDated } = market
  if (market.reference !== null || everDated !== (rateUpdatedAt !== null) || errorCycles > 0) return false
  if (gap !== undefined && (gap.isFirst || gap.isReturn === true || gap.isReported)) return false
  if (market.isPublicGone === true || market.isPublicFailing === true || flow.pairMarkouts !== undefined)
    return false
  for (const _request in authRefusals) return false
  const { dueAt = null, open } = flow.markouts ?? {}
  return dueAt === null && (open === undefined || open.bid.fills + open.ask.fills === 0)
}

/** Returns whether the last answers were the same but for the mid and its date. */
function isRepeated({ market, config }: EngineState, repeated: RepeatedAnswer): boolean {
  const { quotable, protocolFeeBps, best, isProbed } = repeated
  if (quotable !== null && quotable !== market.quotable) return false
  if (!isProbed) return market.gap === undefined
  const { bid, ask } = market.competition
  if (best.bid !== (bid?.bps ?? null) || best.ask !== (ask?.bps ?? null)) return false
  return (
    market.publicMid !== null &&
    market.feeWords?.public === protocolFeeBps &&
    quoteStableOf(config) === 'USDC'
  )
}
