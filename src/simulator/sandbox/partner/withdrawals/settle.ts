import { emit } from '../kit/emit.ts'
import { fateUnder } from '../kit/fields.ts'
import { newCode } from '../kit/ids.ts'
import { scheduleEnd } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerWithdrawal, PayoutDestination } from '../model/payments.ts'
import { burn, CASH, mint, moveShillings, phoneAccount } from '../money/tokens.ts'

/** The digits that decide the fate of a test payout and the name of its recipient. */
export function payoutDigits(destination: PayoutDestination): string {
  return destination.rail === 'phone' ? destination.phone : destination.accountNumber
}

export function railOf({ rail }: PayoutDestination): 'bank' | 'mobile_money' {
  return rail === 'bank' ? 'bank' : 'mobile_money'
}

/** Tokens become shillings that the rail holds. */
export function hold(partner: Partner, payout: PartnerWithdrawal): void {
  burn(partner.world, payout.source.account, CASH.payouts, payout.burnTzs)
}

/** The rail starts the payout, which ends by its destination. */
export function dispatch(partner: Partner, payout: PartnerWithdrawal): void {
  payout.status = 'burned'
  scheduleEnd(partner, payout, fateUnder(partner, payoutDigits(payout.destination)), {
    completes: pay,
    fails: (_partner, failed) => revert(partner, failed, failed.burnTzs),
    unconfirmed: markPayoutUnconfirmed,
  })
}

/** The held money goes to the payee and to the fees. */
export function pay(partner: Partner, payout: PartnerWithdrawal): void {
  const { world } = partner
  moveShillings(world, CASH.payouts, payeeOf(payout), payout.receiveTzs)
  moveShillings(world, CASH.payouts, CASH.fees, payout.totalFeeTzs)
  Object.assign(payout, { status: 'paid', payoutStatus: 'completed', error: null })
  payout.receipt ??= newCode(world, 'RCT', 10)
  announce(partner, payout)
}

/**
 * The value returns to its wallet: from the rail, or from the payee if the payout was paid and bounced. `refundTzs` may be
 * less than the burned amount: the rail keeps the rest.
 */
export function revert(partner: Partner, payout: PartnerWithdrawal, refundTzs: bigint): void {
  const { world } = partner
  const { burnTzs, receiveTzs, totalFeeTzs, source, status } = payout
  if (status === 'paid') {
    moveShillings(world, payeeOf(payout), CASH.payouts, receiveTzs)
    moveShillings(world, CASH.fees, CASH.payouts, totalFeeTzs)
  }
  mint(world, CASH.payouts, source.account, refundTzs)
  moveShillings(world, CASH.payouts, CASH.fees, burnTzs - refundTzs)
  const error = status === 'paid' ? 'returned by the recipient' : 'the payout failed'
  Object.assign(payout, { status: 'reverted', payoutStatus: 'reverted', error })
  announce(partner, payout)
}

/** The outcome is unknown: burned, unconfirmed, no refund. */
export function markPayoutUnconfirmed(partner: Partner, payout: PartnerWithdrawal): void {
  Object.assign(payout, { payoutStatus: 'reconcile_required', error: 'the payout is unconfirmed' })
  announce(partner, payout)
}

function payeeOf({ destination }: PartnerWithdrawal): string {
  if (destination.rail === 'phone') return phoneAccount(destination.phone)
  return `${CASH.bank}:${destination.bankCode}:${destination.accountNumber}`
}

function announce(partner: Partner, payout: PartnerWithdrawal): void {
  const { id, endUser, status, payoutStatus, receiveTzs, burnTzs, reference, destination, error } = payout
  emit(partner, 'withdrawal.updated', {
    withdrawalId: id,
    externalId: endUser?.reference ?? null,
    status,
    payoutStatus,
    receiveAmountTzs: receiveTzs,
    burnAmountTzs: burnTzs,
    payoutReference: reference,
    payoutProvider: railOf(destination),
    payoutError: error,
    endUser,
  })
}
