import { type Rate, rateStepBps } from '../../base/money/rate.ts'
import type { MarketState } from './market-state.ts'

/** The part of the market that determines its fair value. */
type Priced = Pick<MarketState, 'mid' | 'reference' | 'estimate'>

/**
 * Returns the value of a dollar: the estimate of the live feeds, else the latest reference of a tape, else the venue's mid. Null =
 * unknown. An estimate that contradicts the venue or itself does not count: otherwise a wrong feed could set a peak from which
 * the drawdown is measured.
 */
export function fairValue(market: Priced): Rate | null {
  const { estimate, reference, mid } = market
  if (estimate !== null && !contradicts(market)) return estimate.mid
  return reference?.mid ?? mid
}

/** Returns how far the venue's mid is above the estimate of the feeds, in bps; null = one of them is missing. */
export function referenceDeviationBps({ mid, estimate }: Priced): number | null {
  return mid === null || estimate === null ? null : rateStepBps(estimate.mid, mid)
}

/** Returns whether the venue's mid is too far from the feeds, or the feeds are too far from each other. */
function contradicts(market: Priced): boolean {
  const limit = market.estimate?.limitBps ?? null
  if (limit === null || market.estimate === null) return false
  const deviation = referenceDeviationBps(market)
  return market.estimate.errorBps * 2 > limit || (deviation !== null && Math.abs(deviation) > limit)
}
