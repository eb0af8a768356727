import { DAY_MS, type Ms } from '../../../../base/time.ts'
import { formatDecimalText } from '../../../../base/money/decimal-text.ts'
import { type PartnerRequest, refuse } from '../kit/request.ts'
import type { PartnerCode } from '../model/codes.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import type { FundingSource } from '../model/payments.ts'
import { shillingsAt } from './tokens.ts'

/** The sandbox's limits for the platform wallet and for each float. Source: contract, limits. */
const SANDBOX_CAPS = [
  { period: 'transaction', periodMs: 0, limitTzs: 1_000_000n },
  { period: 'day', periodMs: DAY_MS, limitTzs: 2_000_000n },
  { period: '30 days', periodMs: 30 * DAY_MS, limitTzs: 60_000_000n },
] as const

/** Limits of the platform wallet's collections and payouts until the KYB is approved. Source: contract, limits. */
const BEFORE_KYB_TZS = 100_000n

/** The measured venue's limits for transfers of the shilling by one user. */
const MEASURED_CAPS = { perTransactionTzs: 1_000_000, perDayTzs: 2_000_000 }
const NO_CAPS = { perTransactionTzs: null, perDayTzs: null }

/** Checks a payout, fees included, against caps and balance. The caller then counts it with `notePayout`. */
export function checkPayout(
  partner: Partner,
  request: PartnerRequest,
  source: FundingSource,
  tzs: bigint,
): void {
  const { account, kind } = source
  checkAgentCaps(partner, request, tzs)
  if (kind !== 'user') checkSandboxCaps(partner, tzs, (since) => paidAfter(partner, account, since))
  if (kind === 'treasury') checkKybAllowance(partner, tzs, paidAfter(partner, account, -Infinity))
  checkBalance(partner.world, shillingsAt(partner.world, account), tzs)
}

/** Counts a payout against the caps. A payment that is reverted later stays counted. */
export function notePayout(
  partner: Partner,
  request: PartnerRequest,
  { account }: FundingSource,
  tzs: bigint,
): void {
  partner.payments.outgoings.push({ at: partner.world.venue.now, account, tzs })
  noteAgentPayout(partner, request, tzs)
}

/** Counts a payout against the caps of an agent's credential. A partner's own key has no caps. */
export function noteAgentPayout({ payments, world }: Partner, { key }: PartnerRequest, tzs: bigint): void {
  if (payments.agents.has(key)) payments.outgoings.push({ at: world.venue.now, account: key, tzs })
}

export function checkAgentCaps(partner: Partner, { key }: PartnerRequest, tzs: bigint): void {
  const agent = partner.payments.agents.get(key)
  if (agent === undefined) return
  const { perTransactionTzs, dailyTzs } = agent
  const atOnce = 'above what this credential may pay at once'
  checkCap('agent_per_txn_cap_exceeded', atOnce, perTransactionTzs, tzs)
  const inADay = 'above what this credential may pay in 24 hours'
  checkCap('agent_daily_cap_exceeded', inADay, dailyTzs, tzs, paidInADay(partner, key))
}

/** Checks a transfer of a user's shillings and counts it against the day's cap with `noteTransfer`. */
export function checkTransferCaps(partner: Partner, { account }: FundingSource, tzs: bigint): void {
  const { settings, venue } = partner.world
  const { perTransactionTzs, perDayTzs } =
    settings.transferCaps ?? (venue.options.venue === 'measured' ? MEASURED_CAPS : NO_CAPS)
  checkCap('amount_too_large', 'above what one transfer may move', perTransactionTzs, tzs)
  const inADay = 'above what a user may transfer in a day'
  checkCap('amount_too_large', inADay, perDayTzs, tzs, paidInADay(partner, transfersOf(account)))
}

export function noteTransfer({ payments, world }: Partner, { account }: FundingSource, tzs: bigint): void {
  payments.outgoings.push({ at: world.venue.now, account: transfersOf(account), tzs })
}

/** Transfers are counted separately from payouts. */
function transfersOf(account: string): string {
  return `transfers:${account}`
}

/** Checks an amount against the limits of the sandbox; `usedAfter` sums earlier amounts after a moment. */
export function checkSandboxCaps(
  { isLive, world }: Partner,
  tzs: bigint,
  usedAfter: (at: Ms) => bigint,
): void {
  for (const { period, periodMs, limitTzs } of isLive ? [] : SANDBOX_CAPS) {
    const sentence = `above the sandbox's limit of a ${period}`
    checkCap(world.settings.limitCode, sentence, limitTzs, tzs, usedAfter(world.venue.now - periodMs))
  }
}

export function checkKybAllowance({ world }: Partner, tzs: bigint, usedTzs: bigint): void {
  if (world.settings.kyb === 'approved' || usedTzs + tzs <= BEFORE_KYB_TZS) return
  const details = { allowanceTzs: BEFORE_KYB_TZS, usedTzs }
  refuse('kyb_required', 'the allowance before an approved KYB is used up', details)
}

/** A limit of one payment has no `usedInPeriod`. */
export function checkCap(
  code: PartnerCode,
  sentence: string,
  limit: bigint | number | null,
  requested: bigint,
  usedInPeriod?: bigint,
): void {
  if (limit === null || (usedInPeriod ?? 0n) + requested <= BigInt(limit)) return
  refuse(code, sentence, { limit, requested, ...(usedInPeriod === undefined ? {} : { usedInPeriod }) })
}

function paidInADay(partner: Partner, account: string): bigint {
  return paidAfter(partner, account, partner.world.venue.now - DAY_MS)
}

function paidAfter({ payments }: Partner, account: string, since: Ms): bigint {
  return payments.outgoings
    .filter((paid) => paid.account === account && paid.at > since)
    .reduce((sum, { tzs }) => sum + tzs, 0n)
}

/** Checks whether tokens can move to a destination now: the token, the relay, compliance. */
export function checkMoving({ settings }: PartnerWorld, destination: string): void {
  const { outOfOrder, blocked } = settings
  if (outOfOrder.includes('token')) refuse('token_paused', 'the issuer has paused transfers of the token')
  if (outOfOrder.includes('relayer')) refuse('relayer_unavailable', 'the gas relay is offline')
  if (outOfOrder.includes('compliance'))
    refuse('compliance_screening_unavailable', 'the screening is down; nothing moved')
  if (blocked.some((entry) => entry.toLowerCase() === destination.toLowerCase()))
    refuse('compliance_screening_blocked', 'this destination cannot be paid')
}

/** Amounts are in the smallest unit that the API names: whole shillings, or base units of a token with `decimals`. */
export function checkBalance(
  { settings }: PartnerWorld,
  available: bigint,
  requested: bigint,
  decimals = 0,
): void {
  if (available >= requested) return
  const shown = (value: bigint) => Number(formatDecimalText(value, decimals))
  const details = {
    available: shown(available),
    requested: shown(requested),
    shortfall: shown(requested - available),
  }
  refuse('insufficient_balance', 'the balance is too small', details, { status: settings.insufficientStatus })
}
