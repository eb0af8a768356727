import { isRecord } from '../../../base/record.ts'
import { type Answer, EMPTY_500, type SimulatedRequest, type VenueResponse } from '../api/request.ts'
import {
  answerWithFault,
  drawFault,
  finish,
  GATEWAY_PAGE,
  type SpoiltAnswer,
} from '../api/answer-with-fault.ts'
import { routeMatches, type RequestFault } from '../faults.ts'
import { measuredPartnerAnswer } from './measured-answers.ts'
import { count } from '../state.ts'
import { partnerOfKey } from './agents/credentials.ts'
import { bearerKey, enter } from './agents/door.ts'
import { onceAKey } from './kit/idempotency.ts'
import { isRefusal, type PartnerRequest, type PartnerRoute, refusalAnswer, refuse } from './kit/request.ts'
import type { NextAnswer, Partner, PartnerWorld } from './model/partner.ts'
import { findPartnerRoute } from './routes.ts'

/** One request of the partner API through the door, the faults and the route; null where it is not one. */
export function handlePartner(world: PartnerWorld, request: SimulatedRequest): VenueResponse | null {
  const found = findPartnerRoute(request.method, request.path)
  if (found === null) return null
  const { route, params } = found
  const key = bearerKey(request.authorization)
  if (route.onlyPartners === true && (key === null || partnerOfKey(world, key) === undefined)) return null
  const { venue } = world
  count(venue, 'requests')
  if (venue.now < venue.outageUntil) return finish(venue, { status: 503, body: null, ...GATEWAY_PAGE })
  const entered = enter(world, route, request)
  if ('status' in entered) return finish(venue, entered)
  const wanted: PartnerRequest = {
    method: request.method,
    params,
    query: request.query,
    body: isRecord(request.body) ? request.body : {},
    now: venue.now,
    source: request.source ?? '127.0.0.1',
    key: key ?? '',
    idempotencyKey: request.idempotencyKey ?? null,
    merchantId: request.merchantId ?? null,
  }
  const name = `${route.method} ${route.path}`
  const fault = drawFault(venue, name)
  const execute = () => answerNext(entered, route, wanted, takeNext(world, name))
  return finish(venue, fault === null ? execute() : spoil(world, fault, execute))
}

/** What the control API has announced for this route, taken off its list. */
function takeNext({ nextAnswers }: PartnerWorld, route: string): NextAnswer | null {
  const at = nextAnswers.findIndex((next) => routeMatches(next.route, route))
  const next = nextAnswers[at]
  if (next === undefined) return null
  if (next.count <= 1) nextAnswers.splice(at, 1)
  else nextAnswers[at] = { ...next, count: next.count - 1 }
  return next
}

function answerNext(
  partner: Partner,
  route: PartnerRoute,
  request: PartnerRequest,
  next: NextAnswer | null,
): Answer {
  const run = () => {
    if (partner.world.venue.options.venue === 'measured')
      return measuredPartnerAnswer(partner, route, request)
    const result = route.answer(partner, request)
    return isRefusal(result) ? refusalAnswer(result, route.isIdentity === true) : result
  }
  const once = () => onceAKey(partner, route, request, run)
  switch (next?.kind) {
    case undefined:
      return once()
    case 'refuse': {
      if (next.isTaken) once()
      const details = Object.keys(next.details).length === 0 ? undefined : next.details
      const words = `${next.code}, as the control API asked`
      return refusalAnswer(refuse(next.code, words, details), route.isIdentity === true)
    }
    case 'late': {
      const answer = once()
      return { ...answer, delayMs: (answer.delayMs ?? 0) + next.ms }
    }
    case 'status': {
      const { body } = once()
      return { status: next.status, body: { ...(body as object), error: 'the venue failed afterwards' } }
    }
    case 'doubled':
      once()
      return once()
  }
}

/** The faults of the LP side in the words of this API where they are an answer and not a broken wire. */
function spoil(world: PartnerWorld, fault: RequestFault, execute: () => Answer): SpoiltAnswer {
  if (fault === '500-after') execute()
  if (fault === '500' || fault === '500-after')
    return world.venue.options.venue === 'measured'
      ? EMPTY_500
      : refusalAnswer(refuse('network_error', 'the connection to the chain timed out'), false)
  if (fault !== '429') return answerWithFault(world.venue, fault, execute)
  const limited = refusalAnswer(refuse('rate_limited', 'too many requests'), false)
  return { ...limited, headers: { 'retry-after': '2' } }
}
