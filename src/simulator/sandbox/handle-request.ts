import { answerWithFault, drawFault, finish, GATEWAY_PAGE } from './api/answer-with-fault.ts'
import { keySentence, unroutedAnswer } from './measured/refusals.ts'
import { count, type VenueState } from './state.ts'
import { findRoute, methodsOf } from './find-route.ts'
import {
  type Answer,
  type Handler,
  refusal,
  refuseRequest,
  refusePublic,
  type SimulatedRequest,
  type VenueResponse,
} from './api/request.ts'

/** Passes one request through the checks (outage, key, limit, permission), the faults and the route. */
export function handleRequest(venue: VenueState, request: SimulatedRequest): VenueResponse {
  count(venue, 'requests')
  const { venue: kind } = venue.options
  const route = findRoute(kind, request.method, request.path)
  if (venue.now < venue.outageUntil) return finish(venue, { status: 503, body: null, ...GATEWAY_PAGE })
  if (kind === 'measured' && route === null)
    return finish(venue, unroutedAnswer(request.method, methodsOf(kind, request.path)))
  const stopped = route?.isPublic === true ? stopPublic(venue, request) : stopAtTheDoor(venue, request)
  if (stopped !== null) return finish(venue, stopped)
  if (route === null) {
    return finish(
      venue,
      refuseRequest(kind, refusal('NOT_FOUND', `No resource at ${request.method} ${request.path}`)),
    )
  }
  const fault = drawFault(venue, route.name)
  const execute = () => run(venue, route.handler, request)
  return finish(venue, fault === null ? execute() : answerWithFault(venue, fault, execute))
}

function run(venue: VenueState, handler: Handler, request: SimulatedRequest): Answer {
  const result = handler(venue, request)
  return 'sentence' in result ? refuseRequest(venue.options.venue, result) : result
}

function stopAtTheDoor(venue: VenueState, request: SimulatedRequest): Answer | null {
  const { venue: kind, apiKey, noPermissionKeys } = venue.options
  const key = request.authorization?.startsWith('Bearer ') === true ? request.authorization.slice(7) : null
  const hasPermission = key === apiKey && !venue.faults.keyRejected
  if (key === null || (!hasPermission && !noPermissionKeys.includes(key))) {
    const sentence = kind === 'measured' ? keySentence(key) : 'Missing or invalid API key'
    return refuseRequest(kind, refusal('UNAUTHORIZED', sentence))
  }
  // The measured venue does not limit requests to the LP API.
  const waitSeconds = kind === 'measured' ? 0 : venue.keyLimit.take(key, request.limiterNow ?? request.now)
  if (waitSeconds > 0) {
    count(venue, 'refused by the key limit')
    const limited = refuseRequest(
      kind,
      refusal('RATE_LIMIT', `Over ${venue.options.requestsPerMinute} requests per minute`),
    )
    return { ...limited, headers: { 'retry-after': String(waitSeconds) } }
  }
  if (!hasPermission) return refuseRequest(kind, refusal('FORBIDDEN', 'This key may not use this resource'))
  return null
}

function stopPublic(venue: VenueState, request: SimulatedRequest): Answer | null {
  if (request.method !== 'GET') return null
  const waitSeconds = venue.publicLimit.take(request.source ?? 'direct', request.limiterNow ?? request.now)
  if (waitSeconds === 0) return null
  count(venue, 'refused by the public limit')
  return {
    ...refusePublic(429, 'rate_limited', 'too many requests'),
    headers: { 'retry-after': String(waitSeconds) },
  }
}
