import { answer, type Answer, refusal, refuseRequest } from '../api/request.ts'
import { happens } from '../market/fill-rows.ts'
import { count, type VenueState } from '../state.ts'
import { REQUEST_FAULTS, type RequestFault, routeMatches } from './faults.ts'

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

/** What the answer becomes. `execute` runs the request; a `-before` fault never calls it. */
export function answerWithFault(venue: VenueState, fault: RequestFault, execute: () => Answer): SpoiltAnswer {
  switch (fault) {
    case 'timeout-before':
      return { ...answer(200, null), drop: 'before', dropHow: 'hang' }
    case 'reset-before':
      return { ...answer(200, null), drop: 'before', dropHow: 'reset' }
    case 'timeout-after':
      return { ...execute(), drop: 'after', dropHow: 'hang' }
    case 'reset-after':
      return { ...execute(), drop: 'after', dropHow: 'reset' }
    case '500':
      return internalError(venue)
    case '500-after':
      execute()
      return internalError(venue)
    case '503':
      return { ...answer(503, null), ...GATEWAY_PAGE }
    case '429':
      return {
        ...refuseRequest(venue.options.venue, refusal('RATE_LIMIT', 'Too many requests')),
        headers: { 'retry-after': '2' },
      }
    case 'html':
      return { ...execute(), ...GATEWAY_PAGE, status: 502 }
    case 'malformed':
      return { ...execute(), rawBody: '{"status": ok,,}' }
    case 'truncated':
      return { ...execute(), truncate: true }
  }
}

export type SpoiltAnswer = Answer & {
  readonly truncate?: boolean
  readonly dropHow?: 'hang' | 'reset'
}

/** What a proxy in front of the venue says when the venue does not. */
export const GATEWAY_PAGE = {
  rawBody:
    '<html><head><title>Service unavailable</title></head><body><h1>Service unavailable</h1></body></html>',
  headers: { 'content-type': 'text/html' },
} as const

function internalError(venue: VenueState): Answer {
  return refuseRequest(venue.options.venue, refusal('INTERNAL_ERROR', 'Unexpected server error'))
}
