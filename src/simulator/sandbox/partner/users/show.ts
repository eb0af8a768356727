import { type Asset, formatTokens } from '../../../../base/money/asset.ts'
import type { Answer } from '../../api/request.ts'
import { shownTzs } from '../kit/fields.ts'
import { refuse, type PartnerRefusal } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerUser } from '../model/records.ts'
import { simulatedBalanceOf } from '../money/tokens.ts'

/** A user as the API shows it, its balances read now. */
export function showUser({ world }: Partner, user: PartnerUser): object {
  const { id, externalId, email, name, phone, kycStatus, walletAddress } = user
  const units = (asset: Asset) =>
    walletAddress === null ? 0n : simulatedBalanceOf(world, walletAddress, asset)
  return {
    id,
    externalId,
    email,
    name,
    phone,
    kycStatus,
    walletAddress,
    balanceTzs: shownTzs(units('NTZS')),
    balanceUsdc: Number(formatTokens(units('USDC'), 'USDC')),
    balanceUsdt: Number(formatTokens(units('USDT'), 'USDT')),
  }
}

/** The 202 of an identity that is open, and what the venue waits for. */
export function showOpenCase(user: PartnerUser): Answer {
  const { id, externalId, kycStatus, nextStep } = user
  const code = nextStep === 'kyc_attestation' ? 'kyc_attestation_required' : 'kyc_pending_review'
  return { status: 202, body: { id, externalId, kycStatus, code, nextStep, walletAddress: null } }
}

/** The user of an id under this key, or the refusal. */
export function findUser({ users }: Partner, id: unknown): PartnerUser | PartnerRefusal {
  const user = typeof id === 'string' ? users.get(id) : undefined
  return user ?? refuse('user_not_found', 'no such user under this key')
}
