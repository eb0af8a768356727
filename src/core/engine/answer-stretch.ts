import type { Ms } from '../../base/time.ts'
import type { MidPlaces } from '../../base/money/mid-places.ts'
import { type RateBand, rateStepBps } from '../../base/money/rate.ts'
import type { Side } from '../../base/money/side.ts'
import { markAlong } from '../ledger/book/book.ts'
import type { Cause } from '../strategy/context.ts'
import { GAP_LASTS_MS, PUBLIC_MID_STALE_MS } from '../market/execution-mid.ts'
import type { Competition } from '../market/market-state.ts'
import { recordMidInForce } from '../market/mid-bounds.ts'
import { SPAN_MS } from '../market/window-reach.ts'
import { expedite } from '../pacing/reschedule.ts'
import { hasOpenFills, settleAt } from './accounting/markouts.ts'
import { requestDecision } from './decision/pending.ts'
import type { EngineState } from './model/state.ts'
import { KEPT, pushFirst } from './safeguards/quote-history.ts'

/** The place of a mid that does not exist. */
const NONE = -1
/** Mids, and room for the places of as many adopted ones as a stretch has answers. */
export type MidPath = { readonly places: MidPlaces; readonly path: Int32Array }

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
 * each of them (test/property/backtest/stretch.test.ts). See `beginStretch`.
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
  /** The mids in force, first the one at the beginning. */
  readonly #path: Int32Array
  #last = 0
  #isFromKey = false
  /** When the last one was published; without a date, when it was adopted. */
  #updatedAt: Ms = 0
  /** The fills that wait for an update of the mid, and the time of that update. */
  #hasOpenFills: boolean
  #settleAfter: Ms
  /** The last five minutes of the movement windows. */
  #spanEnd: Ms = 0
  #spanLowest = 0
  #spanHighest = 0
  #mid: number
  #publicMid: number
  /** The figure of GET /rate while the public rate names another one. */
  #gap: number
  #gapSince: Ms
  #gapRateAt: Ms
  #gapSeenAt: Ms
  #datedAt: Ms
  #rateAt: Ms = -Infinity
  readonly #best: RepeatedAnswer['best']
  /** The core has not seen the best spread of this side. */
  #isBidNew: boolean
  #isAskNew: boolean
  /** When it saw them last; -Infinity = not in this stretch. */
  #bidAt: Ms = -Infinity
  #askAt: Ms = -Infinity

  constructor(
    state: EngineState,
    { places, path }: MidPath,
    { min, max }: RateBand,
    oldest: Ms,
    { best, isProbed }: RepeatedAnswer,
  ) {
    const { mid, publicMid, gap, rateUpdatedAt, competition } = state.market
    const { markouts } = state.flow
    this.#state = state
    this.#places = places
    this.#lowest = Math.max(0, Number(min) / 1e18)
    this.#highest = Number(max) / 1e18
    this.#oldest = oldest
    this.#isDated = rateUpdatedAt !== null
    this.#mid = places.add(mid ?? 0n)
    this.#path = path
    path[0] = this.#mid
    this.#publicMid = publicMid === null ? NONE : places.add(publicMid)
    this.#gap = gap === undefined ? NONE : places.add(gap.rate)
    this.#gapSince = gap?.since ?? 0
    this.#gapRateAt = gap?.rateSeenAt ?? 0
    this.#gapSeenAt = gap?.seenAt ?? 0
    this.#datedAt = rateUpdatedAt ?? Number.NaN
    this.#hasOpenFills = markouts !== undefined && hasOpenFills(markouts)
    this.#settleAfter = markouts?.dueAt ?? Infinity
    this.#best = best
    this.#isBidNew = isProbed && best.bid !== (competition.bid?.bps ?? null)
    this.#isAskNew = isProbed && best.ask !== (competition.ask?.bps ?? null)
  }

  /** Returns whether the core will see another best spread. */
  hasNewBest(): boolean {
    return this.#isBidNew || this.#isAskNew
  }

  /** Returns whether answers at `t` or later may have this mid and date; NaN = not dated. */
  admits(mid: number, datedAt: Ms, t: Ms): boolean {
    const tzs = this.#places.tzs[mid]!
    if (tzs <= this.#lowest || tzs >= this.#highest) return false
    return this.#isDated ? datedAt <= t && datedAt >= this.#oldest : Number.isNaN(datedAt)
  }

  /** Takes an answer of GET /rate. False = it has to be processed in full, and changed nothing. */
  rate(mid: number, datedAt: Ms, t: Ms): boolean {
    const differs = this.#gap !== NONE && !this.#places.isEqual(mid, this.#publicMid)
    if (differs && t - this.#gapSeenAt > PUBLIC_MID_STALE_MS) return false
    if (differs && !this.#mayDiffer(mid, this.#publicMid, t, this.#gapSeenAt)) return false
    this.#count('rate', t)
    // A figure that has not moved does not replace the public mid.
    const isKept =
      differs && this.#places.isEqual(mid, this.#gap) && this.#places.isEqual(this.#mid, this.#publicMid)
    this.#gap = differs ? mid : NONE
    this.#gapRateAt = t
    this.#rateAt = t
    const isNew = !isKept && !this.#places.isEqual(mid, this.#mid)
    if (isNew || (this.#isDated && datedAt !== this.#datedAt)) this.#request('rate', t)
    this.#datedAt = datedAt
    if (isNew) this.#adopt(mid, t, true)
    return true
  }

  /** As `rate`, for an answer of the public rate. Drops one that repeats the last one (see `repeatsPublicRate`). */
  publicRate(isBid: boolean, mid: number, t: Ms): boolean {
    const isNews = !this.#places.isEqual(mid, this.#publicMid)
    const isInForce = this.#places.isEqual(mid, this.#mid)
    const hasMoved = isBid ? this.#isBidNew : this.#isAskNew
    if (this.#gap === NONE && isInForce && !isNews && !hasMoved) return true
    const differs = this.#gap !== NONE && !this.#places.isEqual(mid, this.#gap)
    if (differs && !this.#mayDiffer(this.#gap, mid, this.#gapRateAt, t)) return false
    this.#count('bestQuote', t)
    if (isBid) this.#bidAt = t
    else this.#askAt = t
    if (hasMoved) this.#takeBest(isBid, t)
    if (this.#places.isEqual(this.#gap === NONE ? this.#mid : this.#gap, mid)) this.#gap = NONE
    else {
      if (this.#gap === NONE) {
        this.#gap = this.#mid
        this.#gapSince = this.#gapRateAt = t
      }
      this.#gapSeenAt = t
    }
    this.#publicMid = mid
    if (!isNews || isInForce) return true
    this.#request('rate', t)
    expedite(this.#state.pacing, 'rate')
    this.#adopt(mid, t, false)
    return true
  }

  /** Returns whether GET /rate and the public rate, last seen at these times, differ without consequences. */
  #mayDiffer(mid: number, publicMid: number, rateAt: Ms, publicAt: Ms): boolean {
    if (Math.min(rateAt, publicAt) - this.#gapSince >= GAP_LASTS_MS) return false
    const { rates } = this.#places
    const { maxReferenceDeviationBps } = this.#state.config.risk
    if (rateAt <= this.#gapSince || maxReferenceDeviationBps === null) return true
    return Math.abs(rateStepBps(rates[mid]!, rates[publicMid]!)) <= maxReferenceDeviationBps
  }

  #takeBest(isBid: boolean, t: Ms): void {
    if (isBid) this.#isBidNew = false
    else this.#isAskNew = false
    this.#request('competition', t)
  }

  #request(cause: Cause, t: Ms): void {
    if (this.decidedAt === -Infinity) requestDecision(this.#state, cause)
    this.decidedAt = t
  }

  #count(type: 'rate' | 'bestQuote', t: Ms): void {
    if (t > this.#settleAfter) this.#settleFills()
    this.answers += 1
    this.lastType = type
    this.lastAt = t
  }

  #adopt(mid: number, t: Ms, isFromKey: boolean): void {
    const tzs = this.#places.tzs[mid]!
    if (t >= this.#spanEnd || tzs <= this.#spanLowest || tzs >= this.#spanHighest)
      this.#extendSpan(mid, tzs, t)
    this.#path[(this.#last += 1)] = mid
    this.#isFromKey = isFromKey
    this.#updatedAt = isFromKey && this.#isDated ? this.#datedAt : t
    this.#mid = mid
    if (this.#hasOpenFills && this.#settleAfter === Infinity) this.#settleAfter = t
  }

  /** Values the open fills at the mid that the answers of the update left in force. */
  #settleFills(): void {
    const { markouts } = this.#state.flow
    if (markouts !== undefined) {
      if (this.#last > 0) markouts.updatedAt = this.#updatedAt
      settleAt(markouts, this.#settleAfter, this.#places.rates[this.#mid]!)
    }
    this.#hasOpenFills = false
    this.#settleAfter = Infinity
  }

  #extendSpan(mid: number, tzs: number, t: Ms): void {
    const { rates } = this.#places
    recordMidInForce(this.#state.market, rates[this.#mid]!, rates[mid]!, t, false)
    if (t >= this.#spanEnd) {
      this.#spanEnd = (Math.floor(t / SPAN_MS) + 1) * SPAN_MS
      // The span has the mid before it, or began earlier: a mid within both is within the span.
      this.#spanLowest = this.#places.tzs[this.#mid]!
      this.#spanHighest = this.#spanLowest
    }
    this.#spanLowest = Math.min(this.#spanLowest, tzs)
    this.#spanHighest = Math.max(this.#spanHighest, tzs)
  }

  /** Moves the mid, the mark and the history along the path. */
  #movePath(): void {
    const { market, book, history, flow } = this.#state
    const { rates } = this.#places
    const last = this.#last
    if (last === 0) return
    markAlong(book, this.#places, this.#path, 1, last + 1)
    for (let i = Math.max(1, last - KEPT + 1); i <= last; i++) {
      const rate = rates[this.#path[i]!]!
      if (history.mids[0] !== rate) pushFirst(history.mids, rate)
    }
    market.previousMid = rates[this.#path[last - 1]!]!
    market.mid = rates[this.#mid]!
    market.midSource = this.#isFromKey ? 'key' : 'public'
    if (flow.markouts === undefined) return
    flow.markouts.updatedAt = this.#updatedAt
    flow.markouts.dueAt = this.#settleAfter === Infinity ? null : this.#settleAfter
  }

  /** Completes the state. */
  end(): void {
    const { market } = this.#state
    const { rates } = this.#places
    const datedAt = this.#isDated ? this.#datedAt : null
    this.#movePath()
    if (this.#rateAt !== -Infinity) {
      market.rateUpdatedAt = datedAt
      market.seenAt = this.#rateAt
      market.ageWhenSeen = datedAt === null ? null : Math.max(0, this.#rateAt - datedAt)
    }
    const { bid, ask } = this.#best
    if (this.#bidAt !== -Infinity) market.competition.bid = seenBest(bid, this.#bidAt)
    if (this.#askAt !== -Infinity) market.competition.ask = seenBest(ask, this.#askAt)
    if (this.#publicMid !== NONE) market.publicMid = rates[this.#publicMid]!
    const seen = { rateSeenAt: this.#gapRateAt, since: this.#gapSince, seenAt: this.#gapSeenAt }
    market.gap =
      this.#gap === NONE ? undefined : { rate: rates[this.#gap]!, ...seen, isFirst: false, isReported: false }
  }
}

function seenBest(bps: number | null, seenAt: Ms): Competition | null {
  return bps === null ? null : { bps, seenAt }
}
