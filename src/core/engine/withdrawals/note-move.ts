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

/** What is known of a withdrawal; one that a person sent without a key has none. */
type Moved = { readonly asset: Asset; readonly amount: TokenAmount } & Partial<
  Pick<WithdrawalRequest, 'key' | 'toAddress' | 'who' | 'sendAt'>
>

/** Observes that a withdrawal has come to a stage, so that the books show what was under way at any moment. */
export function noteMove(
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

/** The venue confirmed a withdrawal: the request that it answers is done. */
export function confirmWithdrawal(transition: Transition): void {
  const { request } = transition
  if (request?.what !== 'withdraw') return
  endWithdrawal(transition.state.withdrawals, request.key, 'done')
  noteMove(transition, request, 'done')
}

/** A withdrawal failed and gives its part of the day's cap back, or had no clear answer. */
export function handleWithdrawalFailure(transition: Transition, { failure }: RequestFailedEvent): void {
  const { request } = transition
  if (request?.what !== 'withdraw') return
  if (failure.outcome === 'failed') {
    forgetWithdrawal(transition.state.withdrawals, request)
    return noteMove(transition, request, 'failed')
  }
  noteUnknownWithdrawal(transition, request)
  transition.expedite('balances')
  transition.alert(
    'withdrawal-unknown',
    'a withdrawal had no clear answer; it is not sent again, the balances will tell whether it went out',
  )
}

/** It had no clear answer, or its process has ended before that. */
export function noteUnknownWithdrawal(
  transition: Transition,
  request: Extract<InFlight, { what: 'withdraw' }>,
): void {
  recordUnknownWithdrawal(transition.state.withdrawals, request, transition.now)
  noteMove(transition, request, 'unknown')
}
