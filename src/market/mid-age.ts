import type { Ms } from '../base/time.ts'
import type { MarketState } from './market-state.ts'

/**
 * How old the mid is: its age on the venue's clock when last confirmed, plus what passed since on ours.
 * Null where the venue does not date its mid: unknown, and not guessed.
 */
export function midAge(market: MarketState, now: Ms): Ms | null {
  if (market.ageWhenSeen === null || market.seenAt === null) return null
  return market.ageWhenSeen + Math.max(0, now - market.seenAt)
}
