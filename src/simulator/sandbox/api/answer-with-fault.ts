import type { Ms } from '../../../base/time.ts'
import { answer, type Answer, refusal, refuseRequest, type VenueResponse } from './request.ts'
import { happens } from '../market/fill-rows.ts'
import { count, type VenueState } from '../state.ts'
import { REQUEST_FAULTS, type RequestFault, routeMatches } from '../faults.ts'

/** Returns the fault of this request, if any: announced one-off faults first, then random ones. */
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

/** Returns the answer after the fault. `execute` runs the request; a `-before` fault never calls it. */
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

/** The error page of a proxy in front of the venue when the venue does not answer. */
export const GATEWAY_PAGE = {
  rawBody:
    '<html><head><title>Service unavailable</title></head><body><h1>Service unavailable</h1></body></html>',
  headers: { 'content-type': 'text/html' },
} as const

function internalError(venue: VenueState): Answer {
  return refuseRequest(venue.options.venue, refusal('INTERNAL_ERROR', 'Unexpected server error'))
}

const NO_HEADERS = {}

/** Adds date, delay and the fault's effects to the answer. */
export function finish(venue: VenueState, result: SpoiltAnswer): VenueResponse {
  const { meanMs } = venue.faults.latency
  if (meanMs > 0) count(venue, 'fault slow')
  const latencyMs = meanMs > 0 ? Math.round(-Math.log(1 - venue.random.faults()) * meanMs) : 0
  const delayMs = (result.delayMs ?? 0) + latencyMs
  return {
    status: result.status,
    headers: { date: httpDate(venue.now + delayMs), ...(result.headers ?? NO_HEADERS) },
    body: result.body,
    delayMs,
    drop: result.drop ?? null,
    ...(result.drop === undefined ? {} : { dropHow: result.dropHow ?? 'hang' }),
    ...(result.rawBody === undefined ? {} : { rawBody: result.rawBody }),
    ...(result.truncate === true ? { truncate: true } : {}),
    ...(result.stream === undefined ? {} : { stream: result.stream }),
  }
}

let dateSecond = Number.NaN
let dateText = ''

/** The Date header has whole seconds and many requests share one, so the last text is cached. */
function httpDate(at: Ms): string {
  const second = Math.floor(at / 1_000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(second * 1_000).toUTCString()
  }
  return dateText
}
