import type { Rate } from '../money/rate.ts'
import { publishedMid } from './published-mid.ts'
import type { VenueState } from './venue-state.ts'

/** Makes it the venue's mid, dated now. */
export function publishMid(venue: VenueState, mid: Rate): void {
  const published = publishedMid(mid)
  venue.mid = published.rate
  venue.midNumber = published.number
  venue.rateUpdatedAt = venue.now
}
