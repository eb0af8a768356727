import type { MarketState, MidSpan } from './market-state.ts'
import { DAY_MS, type Ms } from '../base/time.ts'
import { isSurelyWithinBps } from '../money/filtered.ts'
import {
  formatBand,
  formatRate,
  isWithinBand,
  type Rate,
  type RateBand,
  rateStepBps,
  rateToNumber,
} from '../money/rate.ts'
import { DAY, extremesWithin, HOUR, isSurelyWithinWindow, SPAN_MS, type Window } from './window-reach.ts'

/** How far a mid may be led before a person or a second source is asked. A null bound is off. */
export type MidBounds = {
  /** Hard: nobody can accept a mid outside while the daemon runs. */
  readonly corridor: RateBand | null
  /** Against the mid in force. */
  readonly maxStepBps: number | null
  /** Against every mid that was in force within the last hour, and the last 24 hours. */
  readonly maxMoveBpsPerHour: number | null
  readonly maxMoveBpsPerDay: number | null
  /** Whose time the venue's dates are compared with: `virtual` leaves out our own clock; null compares nothing. */
  readonly clock: 'real' | 'virtual' | null
}

/** A mid that must not be taken now. `bps` has the sign of the move. */
export type MidBreach = {
  readonly kind: 'corridor' | 'step' | 'move'
  readonly bps: number
  readonly why: string
}

/** The mid that was judged last and breaks no bound; derived, and no part of a state. */
const judged: { mid: Rate; spans: readonly MidSpan[] | null; bounds: MidBounds | null; at: Ms } = {
  mid: 0n,
  spans: null,
  bounds: null,
  at: 0,
}

/**
 * Whether a mid that is in force was judged by these bounds when it was taken: then it breaks none later either. The
 * windows lose mids as time passes, and have gained only the one before, which it was held against, and the mid itself. A
 * mid that was taken otherwise begins another list of spans.
 */
function isStillWithin({ mid: inForce, spans }: MarketState, mid: Rate, bounds: MidBounds, now: Ms): boolean {
  if (spans !== judged.spans || bounds !== judged.bounds || now < judged.at) return false
  return spans !== undefined && mid === judged.mid && mid === inForce
}

/** Which bound a mid breaks, the hardest first; null = none. The public endpoint and the key pass the same way. */
export function breachOf(market: MarketState, mid: Rate, bounds: MidBounds, now: Ms): MidBreach | null {
  if (isStillWithin(market, mid, bounds, now)) return null
  const breach = findBreach(market, mid, bounds, now)
  if (breach === null) {
    judged.mid = mid
    judged.spans = market.spans ?? null
    judged.bounds = bounds
    judged.at = now
  }
  return breach
}

function findBreach(market: MarketState, mid: Rate, bounds: MidBounds, now: Ms): MidBreach | null {
  const { corridor, maxStepBps, maxMoveBpsPerHour, maxMoveBpsPerDay } = bounds
  if (corridor !== null && !isWithinBand(corridor, mid)) {
    const bps = mid > corridor.max ? rateStepBps(corridor.max, mid) : rateStepBps(corridor.min, mid)
    const why = `the mid ${formatRate(mid)} is outside risk.priceCorridor (${formatBand(corridor)})`
    return { kind: 'corridor', bps, why }
  }
  if (market.mid === null || isSurelyWithin(market, mid, bounds, now)) return null
  const step = rateStepBps(market.mid, mid)
  if (maxStepBps !== null && Math.abs(step) > maxStepBps) {
    const why = `the mid stepped ${step.toFixed(1)} bps from ${formatRate(market.mid)} to ${formatRate(mid)}, over risk.maxMidStepBps of ${maxStepBps}`
    return { kind: 'step', bps: step, why }
  }
  return (
    moveBreach(market, mid, maxMoveBpsPerHour, now, HOUR) ??
    moveBreach(market, mid, maxMoveBpsPerDay, now, DAY)
  )
}

/** Nearly every mid is far within all bounds of movement, and float64 proves that; every other one is asked in integers. */
function isSurelyWithin(market: MarketState, mid: Rate, bounds: MidBounds, now: Ms): boolean {
  const { maxStepBps, maxMoveBpsPerHour: perHour, maxMoveBpsPerDay: perDay } = bounds
  if (market.mid === null) return false
  const move = Math.min(perHour ?? Infinity, perDay ?? Infinity)
  const tightest = Math.min(maxStepBps ?? Infinity, move)
  if (tightest === Infinity) return true
  const to = rateToNumber(mid)
  if (!isSurelyWithinBps(rateToNumber(market.mid), to, tightest)) return false
  const { spans } = market
  if (move === Infinity) return true
  if (spans === undefined) return false
  // The hour is a part of the day: what is within both bounds of the whole day needs no second look.
  if (isSurelyWithinWindow(DAY, spans, to, move, now)) return true
  return (
    (perHour === null || isSurelyWithinWindow(HOUR, spans, to, perHour, now)) &&
    (perDay === null || isSurelyWithinWindow(DAY, spans, to, perDay, now))
  )
}

function moveBreach(
  market: MarketState,
  mid: Rate,
  limit: number | null,
  now: Ms,
  window: Window,
): MidBreach | null {
  if (limit === null || market.mid === null) return null
  const { min, max } = extremesWithin(window, market.spans ?? [], market.mid, now)
  const [up, down] = [rateStepBps(min, mid), rateStepBps(max, mid)]
  const bps = up > -down ? up : down
  if (Math.abs(bps) <= limit) return null
  const [within, setting] =
    window === HOUR ? ['an hour', 'risk.maxMidMoveBpsPerHour'] : ['24 hours', 'risk.maxMidMoveBpsPerDay']
  const from = formatRate(bps === up ? min : max)
  const why = `the mid moved ${bps.toFixed(1)} bps within ${within}, from ${from} by way of ${formatRate(market.mid)} to ${formatRate(mid)}, over ${setting} of ${limit}`
  return { kind: 'move', bps, why }
}

/**
 * The mid changes: the old one was in force up to now, the new one is from now on. A day of five-minute spans
 * is kept, 289 of them at most, whatever the venue publishes. `anew`: a person or a feed vouches for the new
 * mid, and both windows begin with it.
 */
export function noteInForce(market: MarketState, from: Rate | null, to: Rate, now: Ms, anew: boolean): void {
  const spans = anew ? [] : (market.spans ?? [])
  const at = Math.floor(now / SPAN_MS) * SPAN_MS
  let last = spans[spans.length - 1]
  // The span of these five minutes holds the old mid: it became the mid in force in it, or was so when it began.
  if (last?.at !== at) {
    const old = anew ? to : (from ?? to)
    last = { at, min: old, max: old }
    spans.push(last)
    const oldest = now - DAY_MS - SPAN_MS
    while ((spans[0]?.at ?? now) <= oldest) spans.shift()
  }
  if (to < last.min) last.min = to
  else if (to > last.max) last.max = to
  market.spans = spans
}
