import { answer, type Answer } from '../../api/request.ts'
import { hasField, mobileNumber, plainText, readPhone, textField } from '../kit/fields.ts'
import { newId } from '../kit/ids.ts'
import { type PartnerRequest, refuse, type RequestFields } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerUser } from '../model/payments.ts'
import { announceKyc, checkNida, findUser, isCountry, userBody, verifyNida } from './identity.ts'

/** POST /users: resolves an externalId, or creates the user and verifies its identity. */
export function postUser(partner: Partner, { body, now }: PartnerRequest): Answer {
  const externalId = textField(body, 'externalId')
  const email = textField(body, 'email')
  if (externalId === null || email === null || !/^[^@\s]+@[^@\s]+$/.test(email))
    return refuse('missing_required_fields', 'externalId and an e-mail address are required')
  const known = [...partner.users.values()].find((user) => user.externalId === externalId)
  if (known !== undefined) return answer(200, userBody(partner, known))
  const country = body['country'] ?? 'TZ'
  if (typeof country !== 'string' || !isCountry(country))
    return refuse('invalid_country', 'country must be a code of ISO 3166-1 alpha-2')
  checkIdentity(partner, country, body)
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
  return openCase(user) ?? answer(201, userBody(partner, user))
}

/** A user of Tanzania needs a NIDA number and a phone; for other countries a phone is optional. */
function checkIdentity(partner: Partner, country: string, body: RequestFields): void {
  const isLocal = country === 'TZ'
  const nidaNumber = textField(body, 'nidaNumber')
  if (isLocal && nidaNumber === null) refuse('kyc_required', 'nidaNumber and phone are required')
  if (isLocal && !hasField(body, 'phone')) refuse('phone_required', 'phone is required')
  if (hasField(body, 'phone') && mobileNumber(body['phone']) === null)
    refuse('phone_invalid', 'phone must be a Tanzanian mobile number')
  if (isLocal) checkNida(partner, nidaNumber ?? '', null)
}

/** The 202 of an open identity, with what the venue waits for; null once the user has a wallet. */
function openCase({ id, externalId, kycStatus, nextStep, walletAddress }: PartnerUser): Answer | null {
  if (walletAddress !== null) return null
  const code = nextStep === 'kyc_attestation' ? 'kyc_attestation_required' : 'kyc_pending_review'
  return answer(202, { id, externalId, kycStatus, code, nextStep, walletAddress })
}

/** GET /users/:id. */
export function getUser(partner: Partner, { params }: PartnerRequest): Answer {
  return answer(200, userBody(partner, findUser(partner, params['id'])))
}

/** POST /users/:id/kyc: an identity for a user that was created without one. */
export function postKyc(partner: Partner, { params, body }: PartnerRequest): Answer {
  const user = findUser(partner, params['id'])
  if (user.kycStatus === 'rejected') refuse('kyc_already_decided', 'the identity was rejected')
  const phone = hasField(body, 'phone') ? readPhone(body, 'phone') : user.phone
  const nidaNumber = textField(body, 'nidaNumber')
  const before = user.kycStatus
  if (nidaNumber === null && user.kycStatus === 'none')
    Object.assign(user, { kycStatus: 'pending_review', nextStep: 'kyc_session' })
  if (nidaNumber !== null) verifyNida(partner, user, nidaNumber)
  user.phone = phone
  if (user.kycStatus !== before) announceKyc(partner, user, 'venue')
  return openCase(user) ?? answer(200, userBody(partner, user))
}
