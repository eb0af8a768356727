import type { Asset, TokenAmount } from '../../../base/money/asset.ts'
import type { Transition } from '../transition.ts'
import type { RequestFailedEvent } from '../model/event.ts'
import type { InFlight } from '../model/in-flight.ts'
import {
  endWithdrawal,
  forgetWithdrawal,
  recordUnknownWithdrawal,
  type WithdrawalRequest,
} from '../model/withdrawal-state.ts'

/** A withdrawal; one without a key lacks the other fields. */
type Moved = { readonly asset: Asset; readonly amount: TokenAmount } & Partial<
  Pick<WithdrawalRequest, 'key' | 'toAddress' | 'who' | 'sendAt'>
>

/** Reports that a withdrawal entered a stage. */
export function reportMove(
  { emit, now }: Pick<Transition, 'emit' | 'now'>,
  { key, asset, amount, toAddress, who, sendAt }: Moved,
  stage: WithdrawalRequest['stage'],
): void {
  emit({
    type: 'withdrawalMoved',
    t: now,
    key: key ?? null,
    asset,
    amount,
    toAddress: toAddress ?? null,
    who: who ?? null,
    sendAt: sendAt ?? null,
    stage,
  })
}

/** The venue confirmed a withdrawal. */
export function confirmWithdrawal(transition: Transition): void {
  const { request } = transition
  if (request?.what !== 'withdraw') return
  endWithdrawal(transition.state.withdrawals, request.key, 'done')
  reportMove(transition, request, 'done')
}

/** A withdrawal failed, which restores the day's cap, or had no clear answer. */
export function handleWithdrawalFailure(transition: Transition, { failure }: RequestFailedEvent): void {
  const { request } = transition
  if (request?.what !== 'withdraw') return
  if (failure.outcome === 'failed') {
    forgetWithdrawal(transition.state.withdrawals, request)
    return reportMove(transition, request, 'failed')
  }
  reportUnknownWithdrawal(transition, request)
  transition.expedite('balances')
  transition.alert(
    'withdrawal-unknown',
    'a withdrawal had no clear answer; it is not sent again; the balances will show whether it left',
  )
}

/** The outcome of a withdrawal is unknown: it had no clear answer, or its process ended before. */
export function reportUnknownWithdrawal(
  transition: Transition,
  request: Extract<InFlight, { what: 'withdraw' }>,
): void {
  recordUnknownWithdrawal(transition.state.withdrawals, request, transition.now)
  reportMove(transition, request, 'unknown')
}
