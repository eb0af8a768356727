import type { Ms } from '../base/time.ts'
import { formatRate, type Rate } from '../money/rate.ts'
import type { MarketState } from './market-state.ts'
import { rateStepBps } from './rate-step.ts'

/** One answer of GET /rate, in domain words. */
export type RateReading = {
  readonly t: Ms
  readonly mid: Rate | null
  readonly problem: string | null
  readonly rateUpdatedAt: Ms | null
  readonly quotable: boolean | null
  readonly venueTime: Ms | null
}

export type MidChange =
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly from: Rate | null; readonly to: Rate }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Takes a reading into the market, or says why not. A refused reading leaves the last good mid in place
 * and sets `problem`, which the next good reading clears. A step over the bound is refused until the
 * operator accepts it or a second publication lands near it: one mistyped figure must not move quotes.
 */
export function takeRate(market: MarketState, reading: RateReading, maxStepBps: number | null): MidChange {
  if (reading.quotable !== null) market.quotable = reading.quotable
  if (reading.mid === null || reading.mid <= 0n) {
    return refuse(market, reading.problem ?? 'the venue sent no usable mid')
  }
  if (reading.rateUpdatedAt === null && market.everDated) {
    return refuse(market, 'the venue stopped dating its mid (no rateUpdatedAt)')
  }
  if (market.mid !== null && maxStepBps !== null) {
    const step = rateStepBps(market.mid, reading.mid)
    if (Math.abs(step) > maxStepBps && !confirmsPending(market, reading, maxStepBps)) {
      if (market.pending === null || market.pending.mid !== reading.mid) {
        market.pending = {
          mid: reading.mid,
          rateUpdatedAt: reading.rateUpdatedAt,
          since: reading.t,
          stepBps: step,
        }
      }
      return refuse(
        market,
        `the mid stepped ${step.toFixed(1)} bps to ${formatRate(reading.mid)}, over the bound of ${maxStepBps}`,
      )
    }
  }
  return adopt(market, reading, reading.mid)
}

/** The operator's word that the pending mid is right. */
export function acceptPendingMid(market: MarketState, t: Ms): MidChange {
  const { pending } = market
  if (pending === null) return { kind: 'same' }
  const { mid, rateUpdatedAt } = pending
  return adopt(market, { t, mid, problem: null, rateUpdatedAt, quotable: null, venueTime: null }, mid)
}

function adopt(market: MarketState, reading: RateReading, mid: Rate): MidChange {
  const from = market.mid
  market.problem = null
  market.pending = null
  market.rateUpdatedAt = reading.rateUpdatedAt
  market.seenAt = reading.t
  market.ageWhenSeen =
    reading.rateUpdatedAt === null
      ? null
      : Math.max(0, (reading.venueTime ?? reading.t) - reading.rateUpdatedAt)
  if (reading.rateUpdatedAt !== null) market.everDated = true
  if (from === mid) return { kind: 'same' }
  market.previousMid = from
  market.mid = mid
  market.midSource = 'key'
  return { kind: 'changed', from, to: mid }
}

/**
 * A later publication close to the pending figure, but not the figure itself: two mistakes of about the same
 * size are unlikely, and one mistake with a new date is still one.
 */
function confirmsPending(market: MarketState, reading: RateReading, maxStepBps: number): boolean {
  const { pending } = market
  if (pending === null || reading.mid === null || reading.rateUpdatedAt === null) return false
  if (pending.rateUpdatedAt === null || reading.rateUpdatedAt <= pending.rateUpdatedAt) return false
  return reading.mid !== pending.mid && Math.abs(rateStepBps(pending.mid, reading.mid)) <= maxStepBps
}

function refuse(market: MarketState, reason: string): MidChange {
  market.problem = reason
  return { kind: 'refused', reason }
}
