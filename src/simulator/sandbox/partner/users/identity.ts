import { newAddress } from '../kit/ids.ts'
import { refuse, type PartnerRefusal } from '../kit/request.ts'
import { accountOf } from '../../market/accounts.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerUser } from '../model/records.ts'
import { emit } from '../webhooks/emit.ts'

/** A NIDA with this ending waits for a person. Source: contract, magic values. */
const REVIEWED_NIDA = '0000202'

/** The assigned codes of ISO 3166-1 alpha-2 are those that have a name. */
const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

export function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && COUNTRY_NAMES.of(code) !== undefined
}

/** Checks a NIDA and gives it to the user: verified at once, or left open by the magic ending. */
export function verifyNida(partner: Partner, user: PartnerUser, nidaNumber: string): PartnerRefusal | null {
  const refusal = refuseNida(partner, nidaNumber, user.id)
  if (refusal !== null) return refusal
  if (user.nidaNumber !== null && user.nidaNumber !== nidaNumber)
    return refuse('identity_mismatch', 'the NIDA number differs from the one that the user has')
  user.nidaNumber = nidaNumber
  if (nidaNumber.endsWith(REVIEWED_NIDA)) {
    user.kycStatus = 'pending_review'
    user.nextStep = 'compliance_review'
  } else {
    approveIdentity(partner, user)
  }
  return null
}

/** What speaks against a NIDA before anybody is asked about it. */
export function refuseNida(
  partner: Partner,
  nidaNumber: string,
  userId: string | null,
): PartnerRefusal | null {
  if (partner.world.settings.outOfOrder.includes('kyc'))
    return refuse('kyc_unavailable', 'verification is temporarily unavailable')
  if (!/^\d{20}$/.test(nidaNumber)) return refuse('kyc_failed', 'nidaNumber must have 20 digits')
  return isTaken(partner, nidaNumber, userId)
    ? refuse('nida_already_registered', 'this NIDA number backs another wallet')
    : null
}

/** Whether another user of the key stands behind this number of a document. */
export function isTaken({ users }: Partner, number: string, userId: string | null): boolean {
  return [...users.values()].some(({ id, nidaNumber }) => id !== userId && nidaNumber === number)
}

/** The identity is verified: the user gets a wallet, once. */
export function approveIdentity(partner: Partner, user: PartnerUser): void {
  const { world } = partner
  user.kycStatus = 'approved'
  user.nextStep = null
  if (user.walletAddress !== null) return
  user.walletAddress = newAddress(world)
  accountOf(world.venue, user.walletAddress.toLowerCase())
}

/** The word of a case that was open: kyc.updated. */
export function announceKyc(partner: Partner, user: PartnerUser, provider: string): void {
  const { externalId, kycStatus, caseId } = user
  emit(partner, 'kyc.updated', { externalId, kycStatus, provider, jobId: caseId })
}
