import { formatTokens } from '../../../../base/money/asset.ts'
import { accountOf } from '../../market/book.ts'
import { emit } from '../kit/emit.ts'
import { newAddress } from '../kit/ids.ts'
import { refuse } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerUser } from '../model/payments.ts'
import { shillingsAt, unitsAt } from '../money/tokens.ts'

/** A NIDA with this ending waits for a person. Source: contract, magic values. */
const REVIEWED_NIDA = '0000202'

/** The assigned codes of ISO 3166-1 alpha-2 are those that have a name. */
const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

export function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && COUNTRY_NAMES.of(code) !== undefined
}

/** Checks a NIDA and gives it to the user: verified at once, or left open by the magic ending. */
export function verifyNida(partner: Partner, user: PartnerUser, nidaNumber: string): void {
  checkNida(partner, nidaNumber, user.id)
  if (user.nidaNumber !== null && user.nidaNumber !== nidaNumber)
    refuse('identity_mismatch', "the NIDA number differs from the user's present one")
  user.nidaNumber = nidaNumber
  if (nidaNumber.endsWith(REVIEWED_NIDA))
    Object.assign(user, { kycStatus: 'pending_review', nextStep: 'compliance_review' })
  else approveIdentity(partner, user)
}

/** Checks a NIDA before anyone verifies it. */
export function checkNida(partner: Partner, nidaNumber: string, userId: string | null): void {
  if (partner.world.settings.outOfOrder.includes('kyc'))
    refuse('kyc_unavailable', 'verification is temporarily unavailable')
  if (!/^\d{20}$/.test(nidaNumber)) refuse('kyc_failed', 'nidaNumber must have 20 digits')
  if (isTaken(partner, nidaNumber, userId))
    refuse('nida_already_registered', 'this NIDA number backs another wallet')
}

/** Returns whether another user of the key has this document number. */
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

/** Reports the decision of an open case. */
export function announceKyc(partner: Partner, user: PartnerUser, provider: string): void {
  const { externalId, kycStatus, caseId } = user
  emit(partner, 'kyc.updated', { externalId, kycStatus, provider, jobId: caseId })
}

/** The user with an id under this key. */
export function findUser({ users }: Partner, id: string | undefined): PartnerUser {
  return users.get(id ?? '') ?? refuse('user_not_found', 'no such user under this key')
}

/** A user as the API shows it, with its present balances. */
export function userBody({ world }: Partner, user: PartnerUser): object {
  const { id, externalId, email, name, phone, kycStatus, walletAddress } = user
  const address = walletAddress ?? ''
  return {
    id,
    externalId,
    email,
    name,
    phone,
    kycStatus,
    walletAddress,
    balanceTzs: shillingsAt(world, address),
    balanceUsdc: Number(formatTokens(unitsAt(world, address, 'USDC'), 'USDC')),
    balanceUsdt: Number(formatTokens(unitsAt(world, address, 'USDT'), 'USDT')),
  }
}
