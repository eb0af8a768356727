import { DAY_MS, HOUR_MS, type Ms } from '../../base/time.ts'
import { formatBand, formatRate, isWithinBand, type Rate, rateStepBps } from '../../base/money/rate.ts'
import type { MidBreach } from './market-state.ts'
import {
  extremesWithin,
  isWithinReach,
  leaveReach,
  type MidBounds,
  type MidHistory,
  SPAN_MS,
} from './window-reach.ts'

/** Returns the bounds of a source's first mid: its distance to another source is not a movement. */
export function corridorOnly(bounds: MidBounds): MidBounds {
  return { ...bounds, maxStepBps: null, maxMoveBpsPerHour: null, maxMoveBpsPerDay: null }
}

/** Returns the strictest bound that a mid breaks, or null. The public endpoint and the key share the bounds. */
export function breachOf(market: MidHistory, mid: Rate, bounds: MidBounds, now: Ms): MidBreach | null {
  return isWithinReach(market, mid, bounds, now) ? null : findBreach(market, mid, bounds, now)
}

function findBreach(market: MidHistory, mid: Rate, bounds: MidBounds, now: Ms): MidBreach | null {
  const { corridor, maxStepBps, maxMoveBpsPerHour, maxMoveBpsPerDay } = bounds
  if (corridor !== null && !isWithinBand(corridor, mid)) {
    const bps = mid > corridor.max ? rateStepBps(corridor.max, mid) : rateStepBps(corridor.min, mid)
    const why = `the mid ${formatRate(mid)} is outside risk.priceCorridor (${formatBand(corridor)})`
    return { kind: 'corridor', bps, why }
  }
  if (market.mid === null) return null
  const step = rateStepBps(market.mid, mid)
  if (maxStepBps !== null && Math.abs(step) > maxStepBps) {
    const why = `the mid stepped ${step.toFixed(1)} bps from ${formatRate(market.mid)} to ${formatRate(mid)}, over risk.maxMidStepBps of ${maxStepBps}`
    return { kind: 'step', bps: step, why }
  }
  return (
    moveBreach(market, mid, maxMoveBpsPerHour, now, HOUR_MS) ??
    moveBreach(market, mid, maxMoveBpsPerDay, now, DAY_MS)
  )
}

function moveBreach(
  market: MidHistory,
  mid: Rate,
  limit: number | null,
  now: Ms,
  window: Ms,
): MidBreach | null {
  if (limit === null || market.mid === null) return null
  const { min, max } = extremesWithin(window, market.spans ?? [], market.mid, now)
  const [up, down] = [rateStepBps(min, mid), rateStepBps(max, mid)]
  const bps = up > -down ? up : down
  if (Math.abs(bps) <= limit) return null
  const [within, setting] =
    window === HOUR_MS ? ['an hour', 'risk.maxMidMoveBpsPerHour'] : ['24 hours', 'risk.maxMidMoveBpsPerDay']
  const from = formatRate(bps === up ? min : max)
  const why = `the mid moved ${bps.toFixed(1)} bps within ${within}, from ${from} by way of ${formatRate(market.mid)} to ${formatRate(mid)}, over ${setting} of ${limit}`
  return { kind: 'move', bps, why }
}

/**
 * Records a change of the mid in force. Keeps one day of five-minute spans, at most 289 regardless of how often the venue
 * publishes. `anew`: an operator or a feed confirmed the new mid, and both windows restart with it.
 */
export function recordMidInForce(
  market: MidHistory,
  from: Rate | null,
  to: Rate,
  now: Ms,
  anew: boolean,
): void {
  const spans = anew ? [] : (market.spans ?? [])
  const at = Math.floor(now / SPAN_MS) * SPAN_MS
  let last = spans.at(-1)
  // The span of these five minutes includes the old mid, which was in force during it.
  if (last?.at !== at) {
    const old = anew ? to : (from ?? to)
    last = { at, min: old, max: old }
    spans.push(last)
    const oldest = now - DAY_MS - SPAN_MS
    while ((spans[0]?.at ?? now) <= oldest) spans.shift()
  }
  if (to < last.min) last.min = to
  else if (to > last.max) last.max = to
  leaveReach(spans, to)
  market.spans = spans
}
