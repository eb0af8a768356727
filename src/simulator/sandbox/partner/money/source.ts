import { refuse, type RequestFields } from '../kit/request.ts'
import { textField } from '../kit/fields.ts'
import type { Partner } from '../model/partner.ts'
import type { EndUser, FundingSource } from '../model/payments.ts'
import type { PartnerCapability } from '../options.ts'

/** The account that a payment names: exactly one of userId, fromTreasury and subWalletId. */
export function readSource(partner: Partner, body: RequestFields): FundingSource {
  const userId = textField(body, 'userId')
  const subWalletId = textField(body, 'subWalletId')
  const fromTreasury = body['fromTreasury'] === true
  const named = [userId !== null, fromTreasury, subWalletId !== null].filter(Boolean).length
  if (named !== 1)
    refuse('funding_source_required', 'name exactly one of userId, fromTreasury and subWalletId')
  if (userId !== null) return userSource(partner, userId)
  return subWalletId === null ? treasurySource(partner) : floatSource(partner, subWalletId)
}

export function userSource({ users }: Partner, userId: string): FundingSource {
  const { walletAddress, isFrozen } =
    users.get(userId) ?? refuse('user_not_found', 'this key has no such user')
  if (walletAddress === null)
    return refuse('wallet_not_provisioned', 'the wallet comes with the verified identity')
  if (isFrozen) refuse('wallet_frozen', 'this wallet is frozen')
  return { kind: 'user', label: `user:${userId}`, account: walletAddress.toLowerCase() }
}

export function treasurySource(partner: Partner): FundingSource {
  checkCapability(partner, 'treasury')
  if (partner.world.settings.outOfOrder.includes('treasury'))
    refuse('treasury_not_provisioned', 'the platform wallet is not provisioned')
  return { kind: 'treasury', label: 'treasury', account: partner.platformAddress.toLowerCase() }
}

function floatSource(partner: Partner, id: string): FundingSource {
  checkCapability(partner, 'agent_float')
  const { kyb, outOfOrder } = partner.world.settings
  if (kyb !== 'approved') refuse('kyb_required', 'the KYB is not approved yet')
  if (outOfOrder.includes('agentFloat'))
    refuse('agent_float_disabled', 'payments from sub-wallets are not enabled')
  const float = partner.payments.subWallets.get(id)
  if (float === undefined) return refuse('funding_source_required', 'this key has no such sub-wallet')
  return { kind: 'float', label: `float:${id}`, account: float.address.toLowerCase() }
}

export function checkCapability({ world }: Partner, capability: PartnerCapability): void {
  if (!world.settings.capabilities.includes(capability))
    refuse('capability_required', `this key is not granted ${capability}`, { capability })
}

/** The end user that a payment names, or null. A payment from the platform wallet must name one. */
export function readEndUser(body: RequestFields, source?: FundingSource): EndUser | null {
  const given = body['endUser']
  const fields = typeof given === 'object' && given !== null ? (given as RequestFields) : {}
  const reference = textField(fields, 'reference')
  if (reference !== null)
    return { reference, name: textField(fields, 'name'), phone: textField(fields, 'phone') }
  if (source?.kind === 'treasury')
    refuse('end_user_required', 'a payment from the platform wallet names endUser.reference')
  return null
}
