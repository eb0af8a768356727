import { err, ok, type Result } from '../../../../base/result.ts'
import { complete, failDeposit, isOpen, takePayment } from '../deposits/settle.ts'
import { unschedule } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerDeposit, PartnerUser, PartnerWithdrawal } from '../model/records.ts'
import { announceKyc, approveIdentity } from '../users/identity.ts'
import { dispatch, loseSight, pay, revert } from '../withdrawals/settle.ts'

/** What the operator does to a resource by hand. The order of states is enforced; the sentence gives the reason. */
export type SetState = (
  partner: Partner,
  id: string,
  state: string,
  /** A returned payout gives back so many whole shillings; null = all that was burned. */
  refundTzs: bigint | null,
) => Result<void, string> | null

const NOT_YET = (from: string, to: string) => err(`from ${from} there is no way to ${to}`)

/** Null where the key has no such deposit. */
export const setDeposit: SetState = (partner, id, state) => {
  const deposit = partner.deposits.get(id)
  if (deposit === undefined) return null
  const { status } = deposit
  if (state === 'pending' && status === 'submitted') {
    unschedule(partner, id)
    deposit.status = 'pending'
  } else if (state === 'completed' && (isOpen(deposit) || status === 'review')) {
    settleDeposit(partner, deposit)
  } else if (state === 'failed' && (isOpen(deposit) || status === 'review')) {
    failDeposit(partner, deposit)
  } else if (state === 'review' && isOpen(deposit)) {
    takePayment(partner, deposit, deposit.amountTzs, false)
  } else {
    return NOT_YET(status, state)
  }
  return ok(undefined)
}

function settleDeposit(partner: Partner, deposit: PartnerDeposit): void {
  if (deposit.heldTzs > 0n) complete(partner, deposit)
  else takePayment(partner, deposit, deposit.amountTzs)
}

/** Null where the key has no such payout. */
export const setWithdrawal: SetState = (partner, id, state, refundTzs) => {
  const payout = partner.withdrawals.get(id)
  if (payout === undefined) return null
  const { status } = payout
  if (refundTzs !== null && (state !== 'reverted' || refundTzs > payout.burnTzs))
    return err(`refundTzs belongs to reverted, and is at most the ${payout.burnTzs} that were burned`)
  const isUnderWay = status === 'burned' || status === 'pending'
  const isUnconfirmed = payout.payoutStatus !== 'pending'
  if (state === 'burned' && status === 'requested') dispatch(partner, payout)
  else if (state === 'pending' && status === 'burned' && !isUnconfirmed) holdUp(partner, payout)
  else if (state === 'paid' && isUnderWay) pay(partner, payout)
  else if (state === 'reverted' && status !== 'reverted') revert(partner, payout, refundTzs ?? payout.burnTzs)
  else if (state === 'reconcile_required' && isUnderWay && !isUnconfirmed) loseSight(partner, payout)
  else return NOT_YET(`${status}, ${payout.payoutStatus}`, state)
  return ok(undefined)
}

function holdUp(partner: Partner, payout: PartnerWithdrawal): void {
  unschedule(partner, payout.id)
  payout.status = 'pending'
}

/** Null where the key has no such user. */
export const setUser: SetState = (partner, id, state) => {
  const user = partner.users.get(id)
  if (user === undefined) return null
  if (state === 'frozen' || state === 'unfrozen') {
    user.isFrozen = state === 'frozen'
    return ok(undefined)
  }
  return decideCase(partner, user, state)
}

function decideCase(partner: Partner, user: PartnerUser, state: string): Result<void, string> {
  if (user.kycStatus !== 'pending_review' && user.kycStatus !== 'none') return NOT_YET(user.kycStatus, state)
  if (state === 'approved') approveIdentity(partner, user)
  else if (state === 'rejected') Object.assign(user, { kycStatus: 'rejected', nextStep: null })
  else if (state === 'none') Object.assign(user, { kycStatus: 'none', nextStep: null })
  else return NOT_YET(user.kycStatus, state)
  if (state !== 'none') announceKyc(partner, user, 'operator')
  return ok(undefined)
}
