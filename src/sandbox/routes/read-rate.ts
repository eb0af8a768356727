import { answer } from '../venue-request.ts'
import { isoTime } from '../venue-state.ts'
import type { Handler } from './handler.ts'

/** GET /rate. The observed dialect does not date its mid. */
export const readRate: Handler = (venue) => {
  if (venue.options.dialect === 'observed') return answer(200, { midRateTZS: venue.midNumber })
  return answer(200, {
    midRateTZS: venue.midNumber,
    rateUpdatedAt: isoTime(venue.rateUpdatedAt),
    quotable: venue.now >= venue.notQuotableUntil,
  })
}
