import { err, ok, type Result } from '../../../../base/result.ts'
import { completeDeposit, failDeposit, takePayment } from '../deposits/settle.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerUser, PartnerWithdrawal } from '../model/payments.ts'
import { completeOfframp, failOfframp, markOfframpUnconfirmed } from '../ramp/offramp.ts'
import { completeOnramp, failOnramp } from '../ramp/onramp.ts'
import { completeSpend, markSpendUnconfirmed, revertSpend } from '../spend/spend.ts'
import { announceKyc, approveIdentity } from '../users/identity.ts'
import { dispatch, markPayoutUnconfirmed, pay, revert } from '../withdrawals/settle.ts'

/** The statuses from which the operator can set a state by hand, and the effect. */
type Transition<T> = readonly [
  from: readonly string[],
  run: (partner: Partner, record: T, refundTzs: bigint | null) => void,
]

/** Gives a record of the key a state. Null if it has no such record; the error gives the reason. */
type SetState = (
  partner: Partner,
  id: string,
  state: string,
  /** The amount refunded to the payer of a returned payout, in whole shillings; null = all of it. */
  refundTzs: bigint | null,
) => Result<void, string> | null

function kind<T>(
  find: (partner: Partner, id: string) => T | undefined,
  statusOf: (record: T) => string,
  transitions: Readonly<Record<string, Transition<T>>>,
): SetState {
  return (partner, id, state, refundTzs) => {
    const record = find(partner, id)
    if (record === undefined) return null
    const transition = Object.hasOwn(transitions, state) ? transitions[state] : undefined
    if (transition === undefined)
      return err(`there is no state ${state}; known: ${Object.keys(transitions).join(', ')}`)
    const [from, run] = transition
    const status = statusOf(record)
    if (!from.includes(status)) return err(`from ${status} there is no way to ${state}`)
    partner.pending.delete(id)
    run(partner, record, refundTzs)
    return ok(undefined)
  }
}

const OPEN = ['submitted', 'pending']
const UNDECIDED = ['pending_review', 'none']
const ANY_IDENTITY = [...UNDECIDED, 'approved', 'rejected']
const UNPAID = ['burned, pending', 'pending, pending']
const UNCONFIRMED = ['burned, reconcile_required', 'pending, reconcile_required']

const setWithdrawal = kind<PartnerWithdrawal>(
  ({ withdrawals }, id) => withdrawals.get(id),
  ({ status, payoutStatus }) => `${status}, ${payoutStatus}`,
  {
    burned: [['requested, pending'], dispatch],
    pending: [['burned, pending'], (_partner, payout) => void (payout.status = 'pending')],
    paid: [[...UNPAID, ...UNCONFIRMED], pay],
    reverted: [
      ['requested, pending', ...UNPAID, ...UNCONFIRMED, 'paid, completed'],
      (partner, payout, refundTzs) => revert(partner, payout, refundTzs ?? payout.burnTzs),
    ],
    reconcile_required: [UNPAID, markPayoutUnconfirmed],
  },
)

/** The kinds of `POST /sandbox/partner/<kind>/<id>/<state>`. */
export const KINDS: Readonly<Record<string, SetState>> = {
  withdrawal: (partner, id, state, refundTzs) => {
    const burnTzs = partner.withdrawals.get(id)?.burnTzs
    const isBurned =
      refundTzs === null || burnTzs === undefined || (state === 'reverted' && refundTzs <= burnTzs)
    return isBurned
      ? setWithdrawal(partner, id, state, refundTzs)
      : err(`refundTzs belongs to reverted, and is at most the ${burnTzs} that were burned`)
  },
  deposit: kind(
    ({ deposits }, id) => deposits.get(id),
    ({ status }) => status,
    {
      pending: [['submitted'], (_partner, deposit) => void (deposit.status = 'pending')],
      completed: [
        [...OPEN, 'review'],
        (partner, deposit) =>
          deposit.heldTzs > 0n
            ? completeDeposit(partner, deposit)
            : takePayment(partner, deposit, deposit.amountTzs),
      ],
      failed: [[...OPEN, 'review'], failDeposit],
      review: [OPEN, (partner, deposit) => takePayment(partner, deposit, deposit.amountTzs, false)],
    },
  ),
  user: kind(
    ({ users }, id) => users.get(id),
    ({ kycStatus }) => kycStatus,
    {
      frozen: [ANY_IDENTITY, (_partner, user) => void (user.isFrozen = true)],
      unfrozen: [ANY_IDENTITY, (_partner, user) => void (user.isFrozen = false)],
      approved: [UNDECIDED, decideCase('approved')],
      rejected: [UNDECIDED, decideCase('rejected')],
      none: [UNDECIDED, decideCase('none')],
    },
  ),
  spend: kind(
    ({ payments }, id) => payments.spends.get(id),
    ({ status, payoutStatus }) => (status === 'burned' ? payoutStatus : status),
    {
      completed: [['pending', 'reconcile_required'], completeSpend],
      reverted: [['pending', 'reconcile_required'], revertSpend],
      reconcile_required: [['pending'], markSpendUnconfirmed],
    },
  ),
  settlement: kind(
    ({ payments }, id) => payments.settlements.get(id),
    ({ status }) => status,
    {
      completed: [
        ['minting', 'paying_out', 'reconcile_required'],
        (partner, settlement) =>
          settlement.direction === 'onramp'
            ? completeOnramp(partner, settlement)
            : completeOfframp(partner, settlement),
      ],
      failed: [
        ['minting', 'paying_out', 'reconcile_required'],
        (partner, settlement) =>
          settlement.direction === 'onramp'
            ? failOnramp(partner, settlement)
            : failOfframp(partner, settlement),
      ],
      reconcile_required: [['paying_out'], markOfframpUnconfirmed],
    },
  ),
  agent: kind(
    ({ payments }, key) => payments.agents.get(key),
    ({ isRevoked }) => (isRevoked ? 'revoked' : 'issued'),
    { revoked: [['issued', 'revoked'], (_partner, agent) => void (agent.isRevoked = true)] },
  ),
  merchant: kind(
    ({ world }, id) => world.commerce.merchants.get(id),
    ({ isAvailable }) => (isAvailable ? 'available' : 'unavailable'),
    {
      available: [['available', 'unavailable'], (_partner, shop) => void (shop.isAvailable = true)],
      unavailable: [['available', 'unavailable'], (_partner, shop) => void (shop.isAvailable = false)],
    },
  ),
}

function decideCase(state: 'approved' | 'rejected' | 'none') {
  return (partner: Partner, user: PartnerUser) => {
    if (state === 'approved') approveIdentity(partner, user)
    else Object.assign(user, { kycStatus: state, nextStep: null })
    if (state !== 'none') announceKyc(partner, user, 'operator')
  }
}
