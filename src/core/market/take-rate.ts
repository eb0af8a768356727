import { HOUR_MS, type Ms, MINUTE_MS } from '../../base/time.ts'
import { type Rate, rateStepBps } from '../../base/money/rate.ts'
import type { LiveFeed } from './feed-estimate.ts'
import type { MarketState, MidBreach, MidRefusal, PendingMid } from './market-state.ts'
import { breachOf, corridorOnly, recordMidInForce } from './mid-bounds.ts'
import type { MidBounds } from './window-reach.ts'
import type { Side } from '../../base/money/side.ts'
import { executionMid, figureOfRate, recordPublicMid } from './execution-mid.ts'
import { takeStatedFee } from './stated-fees.ts'

/**
 * One answer of GET /rate. `mid` null = the figure is invalid (zero, negative, not a number), and `problem` has the reason.
 */
export type RateReading = {
  readonly t: Ms
  readonly mid: Rate | null
  readonly problem: string | null
  /** Null = the venue states no time, so the age is unknown. */
  readonly rateUpdatedAt: Ms | null
  /** Null = the venue does not state it. */
  readonly quotable: boolean | null
  /** The venue's clock in this answer (Date header), to measure ages on one clock; null = absent. */
  readonly venueTime: Ms | null
  /** The machine's clock after it jumped away from `t`: the venue's clock is right if it agrees with either. */
  readonly ourWall?: Ms
}

export type MidChange =
  | { readonly kind: 'same' }
  /** `by`: the feed that confirmed a step; null = within the bounds, or accepted by a person. */
  | {
      readonly kind: 'changed'
      readonly from: Rate | null
      readonly to: Rate
      readonly by: string | null
      /** True if a new source states a different mid from the previous source: the step is not a market move. */
      readonly isOtherSource: boolean
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly rule: MidRefusal['rule'] | PendingRule }

type PendingRule = 'mid-step' | 'mid-move'

/** A publication may be dated this far ahead of the venue's own clock, which shows whole seconds. */
const MAX_AHEAD_MS = 60_000
const MAX_CLOCK_DIFFERENCE_MS = HOUR_MS

/**
 * Adopts a reading, or returns why not. A refused reading leaves the last good mid in force and sets `problem`, which the next good
 * reading clears. A mid over a bound of movement waits: it is adopted once it is back inside, once one of `voices` (the live
 * independent feeds) has agreed with a step for ten minutes, or once an operator names it. The venue cannot confirm it itself.
 * `voices` null = only an operator may. If the public rate names a different mid for long, that mid replaces the figure.
 */
export function takeRate(
  market: MarketState,
  reading: RateReading,
  bounds: MidBounds,
  voices: readonly LiveFeed[] | null,
): MidChange {
  if (reading.quotable !== null) market.quotable = reading.quotable
  const { mid: figure } = reading
  if (figure === null || figure <= 0n)
    return refuse(market, 'mid-invalid', null, reading.problem ?? 'the venue sent no usable mid')
  if (reading.rateUpdatedAt === null && market.everDated)
    return refuse(market, 'mid-undated', null, 'the venue stopped dating its mid (no rateUpdatedAt)')
  const untimely = wrongTime(reading, bounds)
  if (untimely !== null) return refuse(market, 'venue-clock', null, untimely)
  const before = market.gap
  const rateBefore = before?.rate
  const mid = executionMid(market, figure, reading.t)
  const isFirst = mid !== figure && before?.isFirst === true
  const isGone = before !== undefined && market.isPublicGone === true && rateBefore === figure
  const isOtherSource = isFirst || isGone || (mid !== figure && before?.isReturn === true)
  const breach = breachOf(market, mid, isFirst ? corridorOnly(bounds) : bounds, reading.t)
  if (breach === null) {
    const change = adopt(market, reading, mid, isFirst, null)
    return change.kind === 'changed' ? { ...change, isOtherSource } : change
  }
  if (breach.kind === 'corridor') {
    market.pending = null
    return refuse(market, 'price-corridor', mid, breach.why)
  }
  const pending = wait(market, reading, mid, breach)
  recordVoices(market, voices ?? [], bounds.maxStepBps)
  const by = confirmingFeed(market, voices ?? [])
  if (by !== null) return adopt(market, reading, mid, true, by)
  market.problem = pending.why ?? breach.why
  market.refusal = null
  return { kind: 'refused', reason: breach.why, rule: breach.kind === 'move' ? 'mid-move' : 'mid-step' }
}

/** Adopts the pending mid for an operator. Both windows of movement restart with it. */
export function acceptPendingMid(market: MarketState, t: Ms): MidChange {
  const { pending } = market
  if (pending === null) return { kind: 'same' }
  const { mid, rateUpdatedAt } = pending
  const named = { t, mid, problem: null, rateUpdatedAt, quotable: null, venueTime: null }
  return adopt(market, named, mid, true, null)
}

/** Returns the pending mid. Feeds that agreed before keep their time. */
function wait(market: MarketState, reading: RateReading, mid: Rate, breach: MidBreach): PendingMid {
  const before = market.pending
  const { kind, bps: stepBps, why } = breach
  const isSame = before !== null && before.mid === mid && (before.kind ?? 'step') === kind
  if (isSame) return before
  market.pending = {
    mid,
    rateUpdatedAt: reading.rateUpdatedAt,
    since: reading.t,
    stepBps,
    kind: kind === 'move' ? 'move' : 'step',
    why,
    agreed: before?.agreed ?? {},
  }
  return market.pending
}

/** Returns why a date is impossible: it is ahead of the venue's own clock, or that clock differs from ours; null = it is possible. */
function wrongTime(reading: RateReading, { clock }: MidBounds): string | null {
  const { t, rateUpdatedAt, venueTime, ourWall = t } = reading
  if (clock === null) return null
  const known = venueTime ?? (clock === 'real' ? t : null)
  if (rateUpdatedAt !== null && known !== null && rateUpdatedAt - known > MAX_AHEAD_MS) {
    const ahead = Math.round((rateUpdatedAt - known) / 1_000)
    return `the venue dates its mid ${ahead} s into the future`
  }
  if (clock === 'virtual' || venueTime === null) return null
  const [byTime, byWall] = [venueTime - t, venueTime - ourWall]
  const apart = Math.abs(byTime) < Math.abs(byWall) ? byTime : byWall
  if (Math.abs(apart) <= MAX_CLOCK_DIFFERENCE_MS) return null
  const hours = (Math.abs(apart) / HOUR_MS).toFixed(1)
  return `the venue's clock is ${hours} h ${apart > 0 ? 'ahead of' : 'behind'} ours: one of them is wrong, so ages and expiries are wrong too`
}

function adopt(
  market: MarketState,
  reading: RateReading,
  mid: Rate,
  anew: boolean,
  by: string | null,
): MidChange {
  const from = market.mid
  market.problem = null
  market.refusal = null
  market.pending = null
  market.rateUpdatedAt = reading.rateUpdatedAt
  market.seenAt = reading.t
  market.ageWhenSeen =
    reading.rateUpdatedAt === null
      ? null
      : Math.max(0, (reading.venueTime ?? reading.t) - reading.rateUpdatedAt)
  if (reading.rateUpdatedAt !== null) market.everDated = true
  if (market.gap !== undefined && mid === market.publicMid)
    Object.assign(market.gap, { isFirst: false, isReturn: undefined })
  if (from === mid) return { kind: 'same' }
  recordMidInForce(market, from, mid, reading.t, anew)
  market.previousMid = from
  market.mid = mid
  market.midSource = market.gap !== undefined && mid === market.publicMid ? 'public' : 'key'
  return { kind: 'changed', from, to: mid, by, isOtherSource: false }
}

function refuse(
  market: MarketState,
  rule: MidRefusal['rule'],
  mid: Rate | null,
  reason: string,
): Extract<MidChange, { kind: 'refused' }> {
  market.problem = reason
  market.refusal = { rule, mid }
  return { kind: 'refused', reason, rule }
}

/** The answer of the public rate for one side and one size. */
export type PublicReading = {
  readonly t: Ms
  readonly side: Side
  readonly mid: Rate | null
  /** Best spread on `side` for that size; null if no provider quotes it. */
  readonly bestBps: number | null
  readonly protocolFeeBps: number | null
}

/** The changes by a public reading. */
type PublicChange = {
  readonly midChanged: boolean
  /** True for the first mid of this source, which differs from GET /rate: the step is not a market move. */
  readonly isOtherSource: boolean
  readonly confirmMid: boolean
  readonly bestMoved: boolean
  /** The previous protocol fee of this endpoint if it has changed; null = no change. */
  readonly feeBefore: number | null
}

/** Returns whether a public reading repeats the last one, so that adopting it would only make the mid look fresher than it is. */
export function repeatsPublicRate(
  market: MarketState,
  { side, mid, bestBps, protocolFeeBps }: PublicReading,
): boolean {
  const { publicMid, competition, feeWords, gap } = market
  if (gap !== undefined || market.isPublicGone === true || (figureOfRate(market) ?? mid) !== mid) return false
  const best = side === 'bid' ? competition.bid : competition.ask
  if (mid !== publicMid || bestBps !== (best === null ? null : best.bps)) return false
  return protocolFeeBps === null || feeWords?.public === protocolFeeBps
}

/** Records the best spread of a side. Returns whether it changed. */
function takeBest(competition: MarketState['competition'], { side, bestBps, t }: PublicReading): boolean {
  const best = side === 'bid' ? competition.bid : competition.ask
  if (best === null || bestBps === null) {
    competition[side] = bestBps === null ? null : { bps: bestBps, seenAt: t }
    return best !== competition[side]
  }
  const hasMoved = best.bps !== bestBps
  best.bps = bestBps
  best.seenAt = t
  return hasMoved
}

/**
 * Applies a reading of the public endpoint, which costs no request of the key and so shows a new mid first. It has no date and no
 * `quotable`: a new figure inside all bounds is adopted at once, and any new figure requests GET /rate. It never confirms a
 * pending mid. If GET /rate differs for long, fills execute at this mid.
 */
export function takePublicRate(market: MarketState, reading: PublicReading, bounds: MidBounds): PublicChange {
  const feeBefore = takeStatedFee(market, 'public', reading.protocolFeeBps)
  const bestMoved = takeBest(market.competition, reading)
  const mid = reading.mid !== null && reading.mid > 0n ? reading.mid : null
  const news = mid !== null && mid !== market.publicMid
  if (mid !== null) recordPublicMid(market, mid, reading.t)
  const noMid = { midChanged: false, isOtherSource: false, confirmMid: false, bestMoved, feeBefore }
  if (mid === null || !news || market.mid === null || mid === market.mid) return noMid
  if (market.problem === null && breachOf(market, mid, bounds, reading.t) === null) {
    const isOtherSource = market.gap?.isFirst === true
    recordMidInForce(market, market.mid, mid, reading.t, false)
    market.previousMid = market.mid
    market.mid = mid
    market.midSource = 'public'
    if (market.gap !== undefined) market.gap.isFirst = false
    return { ...noMid, midChanged: true, isOtherSource, confirmMid: true }
  }
  return { ...noMid, confirmMid: true }
}

/** How long an independent feed must agree with a step, from its first such reading to its latest. */
const AGREES_MS = 10 * MINUTE_MS

/**
 * Compares the live feeds with the pending mid. A feed agrees while each of its readings is within half of the step bound of
 * that mid. A disagreement or a gap in its readings restarts its time.
 */
export function recordVoices(
  market: MarketState,
  voices: readonly LiveFeed[],
  maxStepBps: number | null,
): void {
  const { pending } = market
  if (pending === null || maxStepBps === null) return
  const before = pending.agreed ?? {}
  const agreed: Record<string, Ms> = {}
  for (const { name, mid, readAt } of voices) {
    if (Math.abs(rateStepBps(pending.mid, mid)) > maxStepBps / 2) continue
    // A reading from before the step does not count.
    agreed[name] = Object.hasOwn(before, name) ? before[name]! : Math.max(readAt, pending.since)
  }
  pending.agreed = agreed
}

/** Returns the feed that has agreed with the step for long enough, or null. A drift needs an operator. */
function confirmingFeed(market: MarketState, voices: readonly LiveFeed[]): string | null {
  const { pending } = market
  if (pending === null || pending.kind === 'move') return null
  const agreed = pending.agreed ?? {}
  const one = voices.find(
    ({ name, readAt }) => Object.hasOwn(agreed, name) && readAt - agreed[name]! >= AGREES_MS,
  )
  return one?.name ?? null
}
