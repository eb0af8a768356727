import { hasField, mobileNumber, plainText, textField } from '../kit/fields.ts'
import { newId } from '../kit/ids.ts'
import {
  isRefusal,
  type PartnerAnswer,
  type PartnerRefusal,
  type PartnerRequest,
  type PartnerRoute,
  refuse,
} from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerUser } from '../model/records.ts'
import { attest } from './attestation.ts'
import { announceKyc, isCountry, refuseNida, verifyNida } from './identity.ts'
import { findUser, showOpenCase, showUser } from './show.ts'

/** POST /users: resolves an externalId, or creates the user and verifies its identity. */
function createUser(partner: Partner, { body, now }: PartnerRequest): PartnerAnswer {
  const externalId = textField(body, 'externalId')
  const email = textField(body, 'email')
  if (externalId === null || email === null || !/^[^@\s]+@[^@\s]+$/.test(email))
    return refuse('missing_required_fields', 'externalId and an e-mail address are required')
  const known = [...partner.users.values()].find((user) => user.externalId === externalId)
  if (known !== undefined) return { status: 200, body: showUser(partner, known) }
  const country = body['country'] ?? 'TZ'
  if (typeof country !== 'string' || !isCountry(country))
    return refuse('invalid_country', 'country must be a code of ISO 3166-1 alpha-2')
  const refusal = refuseIdentity(partner, country, body)
  if (refusal !== null) return refusal
  const user: PartnerUser = {
    id: newId(partner.world),
    externalId,
    email,
    createdAt: now,
    name: textField(body, 'name'),
    phone: mobileNumber(body['phone']),
    country,
    nidaNumber: null,
    kycStatus: 'pending_review',
    nextStep: 'kyc_attestation',
    caseId: newId(partner.world),
    walletAddress: null,
    isFrozen: false,
  }
  partner.users.set(user.id, user)
  if (country === 'TZ') verifyNida(partner, user, plainText(body, 'nidaNumber'))
  return user.walletAddress === null ? showOpenCase(user) : { status: 201, body: showUser(partner, user) }
}

/** What a user must bring: in Tanzania a NIDA number and the own phone, elsewhere a phone only if there is one. */
function refuseIdentity(
  partner: Partner,
  country: string,
  body: PartnerRequest['body'],
): PartnerRefusal | null {
  const isLocal = country === 'TZ'
  const nidaNumber = textField(body, 'nidaNumber')
  if (isLocal && nidaNumber === null) return refuse('kyc_required', 'nidaNumber and phone are required')
  if (isLocal && !hasField(body, 'phone')) return refuse('phone_required', 'phone is required')
  if (hasField(body, 'phone') && mobileNumber(body['phone']) === null)
    return refuse('phone_invalid', 'phone must be a Tanzanian mobile number')
  return isLocal && nidaNumber !== null ? refuseNida(partner, nidaNumber, null) : null
}

/** GET /users/:id. */
function readUser(partner: Partner, { params }: PartnerRequest): PartnerAnswer {
  const user = findUser(partner, params['id'])
  return isRefusal(user) ? user : { status: 200, body: showUser(partner, user) }
}

/** POST /users/:id/kyc: an identity for a user that was created without one. */
function submitKyc(partner: Partner, { params, body }: PartnerRequest): PartnerAnswer {
  const user = findUser(partner, params['id'])
  if (isRefusal(user)) return user
  if (user.kycStatus === 'rejected') return refuse('kyc_already_decided', 'the identity was rejected')
  if (hasField(body, 'phone') && mobileNumber(body['phone']) === null)
    return refuse('invalid_phone', 'phone must be a Tanzanian mobile number')
  const nidaNumber = textField(body, 'nidaNumber')
  const before = user.kycStatus
  if (nidaNumber === null && user.kycStatus === 'none') {
    user.kycStatus = 'pending_review'
    user.nextStep = 'kyc_session'
  }
  const refusal = nidaNumber === null ? null : verifyNida(partner, user, nidaNumber)
  if (refusal !== null) return refusal
  user.phone = mobileNumber(body['phone']) ?? user.phone
  if (user.kycStatus !== before) announceKyc(partner, user, 'venue')
  return user.walletAddress === null ? showOpenCase(user) : { status: 200, body: showUser(partner, user) }
}

export const USER_ROUTES: readonly PartnerRoute[] = (
  [
    { method: 'POST', path: '/users', answer: createUser },
    { method: 'GET', path: '/users/:id', answer: readUser },
    { method: 'POST', path: '/users/:id/kyc', answer: submitKyc },
    { method: 'POST', path: '/users/:id/kyc/attestation', answer: attest },
  ] as const
).map((route) => ({ ...route, capability: 'wallets', isIdempotent: false, isIdentity: true }))
