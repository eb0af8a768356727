import { BlockList, isIP } from 'node:net'
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
import { checkCredential, partnerOfKey } from './agents/agents.ts'
import { onceAKey } from './kit/idempotency.ts'
import {
  answerOf,
  type PartnerRequest,
  type PartnerRoute,
  refuse,
  refuseRate,
  refuseWith,
} from './kit/request.ts'
import type { NextAnswer, Partner, PartnerWorld } from './model/partner.ts'
import { checkCapability } from './money/source.ts'
import { findPartnerRoute } from './routes.ts'

/** Answers a request of the partner API: the key's checks, the faults, the route. Null for a path outside this API. */
export function handlePartner(world: PartnerWorld, request: SimulatedRequest): VenueResponse | null {
  const found = findPartnerRoute(request.method, request.path)
  if (found === null) return null
  const { route, params } = found
  const key = bearerKey(request.authorization)
  if (route.onlyPartners === true && (key === null || partnerOfKey(world, key) === undefined)) return null
  const { venue } = world
  count(venue, 'requests')
  if (venue.now < venue.outageUntil) return finish(venue, { status: 503, body: null, ...GATEWAY_PAGE })
  const answered = answerOf(route, (): SpoiltAnswer => {
    const partner = enter(world, route, request)
    const name = `${route.method} ${route.path}`
    const fault = drawFault(venue, name)
    const partnerRequest: PartnerRequest = {
      params,
      query: request.query,
      body: isRecord(request.body) ? request.body : {},
      now: venue.now,
      key: key ?? '',
      idempotencyKey: request.idempotencyKey ?? null,
      merchantId: request.merchantId ?? null,
    }
    const execute = () =>
      answerOf(route, () => answerNext(partner, route, partnerRequest, takeNext(world, name)))
    return fault === null ? execute() : spoil(world, fault, execute)
  })
  return finish(venue, answered)
}

function bearerKey(authorization: string | null): string | null {
  return authorization?.startsWith('Bearer ') === true ? authorization.slice(7) : null
}

/** The partner of the request after the checks of its key: source address, request limit, capability, KYB. */
function enter(world: PartnerWorld, route: PartnerRoute, request: SimulatedRequest): Partner {
  if (route.isPublic === true) return world.partners.values().next().value as Partner
  const key = bearerKey(request.authorization) ?? ''
  const partner = partnerOfKey(world, key) ?? refuseWith(401, { error: 'A valid API key is required' })
  checkSource(world, request.source ?? '127.0.0.1')
  checkRate(partner, request)
  checkCredential(partner, key, route, request.now)
  const { capability, needsKyb } = route
  if (capability !== null) checkCapability(partner, capability)
  if (capability === 'commerce' && !partner.isLive)
    refuse('not_available_in_test_mode', 'commerce is not simulated: use a live key')
  if (needsKyb === true && world.settings.kyb !== 'approved')
    refuse('kyb_required', 'the KYB is not approved yet')
  return partner
}

function checkSource({ settings }: PartnerWorld, source: string): void {
  const { allowList } = settings
  if (allowList.length === 0) return
  const allowed = new BlockList()
  for (const entry of allowList) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) allowed.addAddress(address, family)
    else allowed.addSubnet(address, Number(prefix), family)
  }
  if (isIP(source) === 0 || !allowed.check(source, isIP(source) === 6 ? 'ipv6' : 'ipv4'))
    refuse('ip_not_allowed', `requests from ${source} are not allowed`)
}

function checkRate({ requestLimit, key }: Partner, request: SimulatedRequest): void {
  const waitSeconds = requestLimit.take(key, request.limiterNow ?? request.now)
  if (waitSeconds > 0) refuseRate('too many requests', waitSeconds)
}

/** Takes the announcement of the control API for this route off its list. */
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
  const run = () =>
    partner.world.venue.options.venue === 'measured'
      ? measuredPartnerAnswer(partner, route, request)
      : answerOf(route, () => route.answer(partner, request))
  const once = () => answerOf(route, () => onceAKey(partner, route, request, run))
  switch (next?.kind) {
    case undefined:
      return once()
    case 'refuse': {
      if (next.isTaken) once()
      const details = Object.keys(next.details).length === 0 ? undefined : next.details
      return refuse(next.code, `${next.code}, as the control API asked`, details)
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

/** The faults of the LP side, with this API's own codes where the fault is an answer and not a broken connection. */
function spoil(world: PartnerWorld, fault: RequestFault, execute: () => Answer): SpoiltAnswer {
  if (fault === '500-after') execute()
  if (fault === '429') refuseRate('too many requests', 2)
  if (fault !== '500' && fault !== '500-after') return answerWithFault(world.venue, fault, execute)
  return world.venue.options.venue === 'measured'
    ? EMPTY_500
    : refuse('network_error', 'the connection to the chain timed out')
}
