import type { Rate } from '../money/rate.ts'
import type { MarketState } from './market-state.ts'

/** What a dollar is worth: the latest reference, or the venue's own mid where there is none. Null = unknown. */
export function fairValue(market: MarketState): Rate | null {
  return market.reference?.mid ?? market.mid
}
