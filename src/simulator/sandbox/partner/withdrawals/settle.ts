import { burn, mint, moveSimulated } from '../kit/burns.ts'
import { newCode } from '../kit/ids.ts'
import { schedule, unschedule } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerWithdrawal } from '../model/records.ts'
import { bankAccount, CASH, phoneAccount } from '../money/tokens.ts'
import { emit } from '../webhooks/emit.ts'
import { fateOfPayout } from './wish.ts'

/** The tokens are burned and held until the payout ends; it ends by itself, by its destination. */
export function dispatch(partner: Partner, payout: PartnerWithdrawal): void {
  const { world } = partner
  payout.status = 'burned'
  const fate = fateOfPayout(partner, payout.destination)
  if (fate === 'never') return
  schedule(partner, payout.id, world.settings.settleMs, () => {
    if (fate === 'completes') pay(partner, payout)
    else if (fate === 'fails') revert(partner, payout, payout.burnTzs)
    else loseSight(partner, payout)
  })
}

/** Tokens become shillings that the rail holds. */
export function hold(partner: Partner, payout: PartnerWithdrawal): void {
  burn(partner.world, payout.source.account, CASH.payouts, payout.burnTzs)
}

/** What is held goes to the payee and to the fees. */
export function pay(partner: Partner, payout: PartnerWithdrawal): void {
  const { world } = partner
  unschedule(partner, payout.id)
  moveSimulated(world, CASH.payouts, payee(payout), payout.receiveTzs)
  moveSimulated(world, CASH.payouts, CASH.fees, payout.totalFeeTzs)
  Object.assign(payout, { status: 'paid', payoutStatus: 'completed', error: null })
  payout.receipt ??= newCode(world, 'RCT', 10)
  announce(partner, payout)
}

/**
 * The value comes back to the wallet it came from: from the rail, or from the payee where the payout was paid
 * and bounced. `refundTzs` may be less than what was burned: the rail keeps the rest.
 */
export function revert(partner: Partner, payout: PartnerWithdrawal, refundTzs: bigint): void {
  const { world } = partner
  const { burnTzs, receiveTzs, totalFeeTzs, source, status } = payout
  unschedule(partner, payout.id)
  if (status === 'paid') {
    moveSimulated(world, payee(payout), CASH.payouts, receiveTzs)
    moveSimulated(world, CASH.fees, CASH.payouts, totalFeeTzs)
  }
  mint(world, CASH.payouts, source.account, refundTzs)
  moveSimulated(world, CASH.payouts, CASH.fees, burnTzs - refundTzs)
  const error = status === 'paid' ? 'returned by the recipient' : 'the payout failed'
  Object.assign(payout, { status: 'reverted', payoutStatus: 'reverted', error })
  announce(partner, payout)
}

/** Whether it arrived is unknown: burned, unconfirmed, no refund. */
export function loseSight(partner: Partner, payout: PartnerWithdrawal): void {
  unschedule(partner, payout.id)
  Object.assign(payout, { payoutStatus: 'reconcile_required', error: 'the payout is unconfirmed' })
  announce(partner, payout)
}

function payee({ destination }: PartnerWithdrawal): string {
  return destination.rail === 'bank'
    ? bankAccount(destination.bankCode, destination.accountNumber)
    : phoneAccount(destination.phone)
}

function announce(partner: Partner, payout: PartnerWithdrawal): void {
  const { id, endUser, status, payoutStatus, receiveTzs, burnTzs, reference, destination, error } = payout
  emit(partner, 'withdrawal.updated', {
    withdrawalId: id,
    externalId: endUser?.reference ?? null,
    status,
    payoutStatus,
    receiveAmountTzs: Number(receiveTzs),
    burnAmountTzs: Number(burnTzs),
    payoutReference: reference,
    payoutProvider: destination.rail === 'bank' ? 'bank' : 'mobile_money',
    payoutError: error,
    endUser,
  })
}
