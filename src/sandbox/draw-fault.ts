import { REQUEST_FAULTS, routeMatches, type RequestFault } from './faults.ts'
import { happens } from './fill-rows.ts'
import { count, type VenueState } from './venue-state.ts'

/** What goes wrong with this request, if anything: announced one-offs first, then the dice. */
export function drawFault(venue: VenueState, route: string): RequestFault | null {
  const announced = venue.nextRequests.findIndex((next) => routeMatches(next.route, route))
  const next = venue.nextRequests[announced]
  if (next !== undefined) {
    if (next.count <= 1) venue.nextRequests.splice(announced, 1)
    else venue.nextRequests[announced] = { ...next, count: next.count - 1 }
    count(venue, `fault ${next.kind}`)
    return next.kind
  }
  for (const { route: pattern, chance } of venue.faults.routes) {
    if (!routeMatches(pattern, route)) continue
    for (const kind of REQUEST_FAULTS) {
      if (!happens(chance[kind] ?? 0, venue.random.faults)) continue
      count(venue, `fault ${kind}`)
      return kind
    }
  }
  return null
}
