import type { Metrics } from './metrics.ts'
import { REQUEST_OUTCOMES, routeWord, wordOf } from './vocabulary.ts'

/**
 * Counts a request to the venue: `route` is an effect's type or method and path; `outcome` is
 * 'ok' or the failure's kind.
 */
export function observeRequest(metrics: Metrics, route: string, outcome: string, seconds: number): void {
  metrics.venueRequests.inc({ route: routeWord(route), outcome: wordOf(REQUEST_OUTCOMES, outcome) })
  metrics.venueRequestSeconds.observe(seconds)
}
