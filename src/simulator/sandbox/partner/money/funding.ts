import { DAY_MS } from '../../../../base/time.ts'
import { accountOf } from '../../market/accounts.ts'
import type { Partner } from '../model/partner.ts'
import type { EndUser, FundingSource } from '../model/payments.ts'
import { refuseShortfall } from './funds.ts'
import { SHILLING_UNITS, textField } from '../kit/fields.ts'
import { type PartnerRefusal, type PartnerRequest, refuse } from '../kit/request.ts'

type Fields = Readonly<Record<string, unknown>>

/** What the sandbox lets one capped account pay out: at once, in a day, in 30 days. Source: contract, limits. */
const SANDBOX_CAPS = [
  { name: 'transaction', periodMs: 0, limitTzs: 1_000_000n },
  { name: 'day', periodMs: DAY_MS, limitTzs: 2_000_000n },
  { name: '30 days', periodMs: 30 * DAY_MS, limitTzs: 60_000_000n },
] as const

/** What the platform wallet may pay out in all until the KYB is approved. Source: contract, limits. */
const PRE_KYB_PAYOUT_TZS = 100_000n

/** The account that a payout names: exactly one of userId, fromTreasury and subWalletId. */
export function readSource(partner: Partner, body: Fields): FundingSource | PartnerRefusal {
  const userId = textField(body, 'userId')
  const subWalletId = textField(body, 'subWalletId')
  const fromTreasury = body['fromTreasury'] === true
  const named = [userId !== null, fromTreasury, subWalletId !== null].filter(Boolean).length
  if (named !== 1)
    return refuse('funding_source_required', 'name exactly one of userId, fromTreasury and subWalletId')
  if (userId !== null) return userSource(partner, userId)
  return subWalletId === null ? treasurySource(partner) : floatSource(partner, subWalletId)
}

export function userSource({ users }: Partner, userId: string): FundingSource | PartnerRefusal {
  const user = users.get(userId)
  if (user === undefined) return refuse('user_not_found', 'this key has no such user')
  if (user.walletAddress === null)
    return refuse('wallet_not_provisioned', 'the wallet comes with the verified identity')
  if (user.isFrozen) return refuse('wallet_frozen', 'this wallet is frozen')
  return { kind: 'user', label: `user:${userId}`, account: user.walletAddress.toLowerCase() }
}

function treasurySource({ world, platformAddress }: Partner): FundingSource | PartnerRefusal {
  const { capabilities, outOfOrder } = world.settings
  if (!capabilities.includes('treasury'))
    return refuse('capability_required', 'this key is not granted treasury', { capability: 'treasury' })
  if (outOfOrder.includes('treasury'))
    return refuse('treasury_not_provisioned', 'the platform wallet is not provisioned')
  return { kind: 'treasury', label: 'treasury', account: platformAddress.toLowerCase() }
}

function floatSource({ world, payments }: Partner, id: string): FundingSource | PartnerRefusal {
  const { capabilities, outOfOrder, kyb } = world.settings
  if (!capabilities.includes('agent_float'))
    return refuse('capability_required', 'this key is not granted agent_float', { capability: 'agent_float' })
  if (kyb !== 'approved') return refuse('kyb_required', 'the KYB is not approved yet')
  if (outOfOrder.includes('agentFloat'))
    return refuse('agent_float_disabled', 'payments from sub-wallets are not enabled')
  const float = payments.subWallets.get(id)
  if (float === undefined) return refuse('funding_source_required', 'this key has no such sub-wallet')
  return { kind: 'float', label: `float:${id}`, account: float.address.toLowerCase() }
}

/** Whole shillings that the source could pay now. */
export function availableTzs({ world }: Partner, { account }: FundingSource): bigint {
  return accountOf(world.venue, account).NTZS / SHILLING_UNITS
}

/** Who a payment from the platform wallet is for; null where it comes from elsewhere and names no one. */
export function readEndUser(source: FundingSource, body: Fields): EndUser | null | PartnerRefusal {
  const given = body['endUser']
  const fields = typeof given === 'object' && given !== null ? (given as Fields) : {}
  const reference = textField(fields, 'reference')
  if (reference === null) {
    if (source.kind !== 'treasury') return null
    return refuse('end_user_required', 'a payment from the platform wallet names endUser.reference')
  }
  return { reference, name: textField(fields, 'name'), phone: textField(fields, 'phone') }
}

/**
 * Whether the source may pay out so much now, fees included: the caps of an agent's credential, those of the
 * sandbox, the allowance before the KYB, the balance. Null = it may; the caller then notes it.
 */
export function refusePayout(
  partner: Partner,
  { key }: Pick<PartnerRequest, 'key'>,
  source: FundingSource,
  tzs: bigint,
): PartnerRefusal | null {
  return (
    refuseAgentCap(partner, { key }, tzs) ??
    refuseSandboxCap(partner, source, tzs) ??
    refuseBeforeKyb(partner, source, tzs) ??
    refuseShortfall(partner.world, { available: availableTzs(partner, source), requested: tzs, unit: 1n })
  )
}

/** Counts a payout against the caps. A payment that is reverted later stays counted, as the caps are of what was sent. */
export function notePayout(
  { payments, world }: Partner,
  { key }: Pick<PartnerRequest, 'key'>,
  source: FundingSource,
  tzs: bigint,
): void {
  const at = world.venue.now
  payments.outgoings.push({ at, account: source.account, tzs })
  noteAgentPayout({ payments, world }, { key }, tzs)
}

/** Counts it against the caps of the credential alone, where the key is one. */
export function noteAgentPayout(
  { payments, world }: Pick<Partner, 'payments' | 'world'>,
  { key }: Pick<PartnerRequest, 'key'>,
  tzs: bigint,
): void {
  if (payments.agents.has(key)) payments.outgoings.push({ at: world.venue.now, account: key, tzs })
}

/** Whether the credential may pay so much; a partner's own key has no caps. */
export function refuseAgentCap(
  partner: Partner,
  { key }: Pick<PartnerRequest, 'key'>,
  tzs: bigint,
): PartnerRefusal | null {
  const agent = partner.payments.agents.get(key)
  if (agent === undefined) return null
  const { perTransactionTzs, dailyTzs } = agent
  if (perTransactionTzs !== null && tzs > perTransactionTzs)
    return refuse('agent_per_txn_cap_exceeded', 'above what this credential may pay at once', {
      limit: Number(perTransactionTzs),
      requested: Number(tzs),
    })
  const used = paidSince(partner, key, DAY_MS)
  if (dailyTzs === null || used + tzs <= dailyTzs) return null
  return refuse('agent_daily_cap_exceeded', 'above what this credential may pay in 24 hours', {
    limit: Number(dailyTzs),
    requested: Number(tzs),
    usedInPeriod: Number(used),
  })
}

function refuseSandboxCap(partner: Partner, source: FundingSource, tzs: bigint): PartnerRefusal | null {
  if (partner.isLive || source.kind === 'user') return null
  for (const { name, periodMs, limitTzs } of SANDBOX_CAPS) {
    const used = periodMs === 0 ? 0n : paidSince(partner, source.account, periodMs)
    if (used + tzs <= limitTzs) continue
    const details = { limit: Number(limitTzs), requested: Number(tzs), usedInPeriod: Number(used) }
    return refuse(partner.world.settings.limitCode, `above the sandbox's limit of a ${name}`, details)
  }
  return null
}

const MEASURED_CAPS = { perTransactionTzs: 1_000_000, perDayTzs: 2_000_000 }
const NO_CAPS = { perTransactionTzs: null, perDayTzs: null }

/** What the measured venue lets one user transfer of the shilling, at once and in a day. */
export function refuseTransferCap(
  partner: Partner,
  { account }: FundingSource,
  tzs: bigint,
): PartnerRefusal | null {
  const { settings, venue } = partner.world
  const { perTransactionTzs, perDayTzs } =
    settings.transferCaps ?? (venue.options.venue === 'measured' ? MEASURED_CAPS : NO_CAPS)
  if (perTransactionTzs !== null && tzs > perTransactionTzs)
    return refuse('amount_too_large', 'above what one transfer may move', {
      limit: perTransactionTzs,
      requested: Number(tzs),
    })
  const used = paidSince(partner, `transfers:${account}`, DAY_MS)
  if (perDayTzs === null || used + tzs <= perDayTzs) return null
  const details = { limit: perDayTzs, requested: Number(tzs), usedInPeriod: Number(used) }
  return refuse('amount_too_large', 'above what a user may transfer in a day', details)
}

/** Counts a transfer against the day's cap. */
export function noteTransfer({ payments, world }: Partner, { account }: FundingSource, tzs: bigint): void {
  payments.outgoings.push({ at: world.venue.now, account: `transfers:${account}`, tzs })
}

function refuseBeforeKyb(partner: Partner, source: FundingSource, tzs: bigint): PartnerRefusal | null {
  if (source.kind !== 'treasury' || partner.world.settings.kyb === 'approved') return null
  const used = paidSince(partner, source.account, Number.POSITIVE_INFINITY)
  if (used + tzs <= PRE_KYB_PAYOUT_TZS) return null
  return refuse('kyb_required', 'the allowance before an approved KYB is used up', {
    allowanceTzs: Number(PRE_KYB_PAYOUT_TZS),
    usedTzs: Number(used),
  })
}

function paidSince({ payments, world }: Partner, account: string, periodMs: number): bigint {
  const since = world.venue.now - periodMs
  return payments.outgoings
    .filter((paid) => paid.account === account && paid.at > since)
    .reduce((sum, { tzs }) => sum + tzs, 0n)
}
