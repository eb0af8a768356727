import { type Rate, rateStepBps } from '../../base/money/rate.ts'
import type { MarketState } from './market-state.ts'

/** What of the market tells its fair value. */
type Priced = Pick<MarketState, 'mid' | 'reference' | 'estimate'>

/**
 * What a dollar is worth: what the live feeds estimate, else the latest reference of a tape, else the venue's
 * own mid. Null = unknown. An estimate that contradicts the venue or itself does not count: nothing is marked to it,
 * or a feed that lies for a minute would leave a peak behind that a drawdown is measured from.
 */
export function fairValue(market: Priced): Rate | null {
  const { estimate, reference, mid } = market
  if (estimate != null && !contradicts(market)) return estimate.mid
  return reference?.mid ?? mid
}

/** How far the venue's mid is from what the feeds estimate, in bps with sign; null = there is nothing to compare. */
export function referenceDeviationBps({ mid, estimate }: Priced): number | null {
  return mid === null || estimate == null ? null : rateStepBps(estimate.mid, mid)
}

/** Whether the venue's mid is too far from the feeds, or half of the feeds are as far from the other half. */
function contradicts(market: Priced): boolean {
  const limit = market.estimate?.limitBps ?? null
  if (limit === null || market.estimate == null) return false
  const deviation = referenceDeviationBps(market)
  return market.estimate.errorBps * 2 > limit || (deviation !== null && Math.abs(deviation) > limit)
}
