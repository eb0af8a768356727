import { BlockList, isIP } from 'node:net'
import type { Answer, SimulatedRequest } from '../../api/request.ts'
import { partnerOfKey, refuseCredential } from './credentials.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import { type PartnerRefusal, type PartnerRoute, refusalAnswer, refuse } from '../kit/request.ts'

/** Whose request it is, or what is answered at the door: key, source address, request limit, capability, KYB. */
export function enter(world: PartnerWorld, route: PartnerRoute, request: SimulatedRequest): Partner | Answer {
  if (route.isPublic === true) return world.partners.values().next().value as Partner
  const key = bearerKey(request.authorization) ?? ''
  const partner = partnerOfKey(world, key)
  if (partner === undefined) return { status: 401, body: { error: 'A valid API key is required' } }
  const refusal =
    refuseSource(world, request.source ?? '127.0.0.1') ??
    refuseRate(partner, request) ??
    refuseCredential(partner, key, route, request.now) ??
    refuseGrant(partner, route)
  return refusal === null ? partner : refusalAnswer(refusal, route.isIdentity === true)
}

export function bearerKey(authorization: string | null): string | null {
  return authorization?.startsWith('Bearer ') === true ? authorization.slice(7) : null
}

function refuseSource(world: PartnerWorld, source: string): PartnerRefusal | null {
  const { allowList } = world.settings
  if (allowList.length === 0) return null
  const allowed = new BlockList()
  for (const entry of allowList) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) allowed.addAddress(address, family)
    else allowed.addSubnet(address, Number(prefix), family)
  }
  if (isIP(source) !== 0 && allowed.check(source, isIP(source) === 6 ? 'ipv6' : 'ipv4')) return null
  return refuse('ip_not_allowed', `requests from ${source} are not allowed`)
}

function refuseRate({ requestLimit, key }: Partner, request: SimulatedRequest): PartnerRefusal | null {
  const waitSeconds = requestLimit.take(key, request.limiterNow ?? request.now)
  if (waitSeconds === 0) return null
  return {
    ...refuse('rate_limited', 'too many requests'),
    headers: { 'retry-after': String(waitSeconds) },
  }
}

function refuseGrant({ world, isLive }: Partner, route: PartnerRoute): PartnerRefusal | null {
  const { capability, needsKyb } = route
  const { capabilities, kyb } = world.settings
  if (capability !== null && !capabilities.includes(capability))
    return refuse('capability_required', `this key is not granted ${capability}`, { capability })
  if (capability === 'commerce' && !isLive)
    return refuse('not_available_in_test_mode', 'commerce is not simulated: use a live key')
  if (needsKyb === true && kyb !== 'approved') return refuse('kyb_required', 'the KYB is not approved yet')
  return null
}
