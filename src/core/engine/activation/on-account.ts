import type { AccountEvent, ActivationEvent, BalancesEvent, RequestFailedEvent } from '../model/event.ts'
import {
  checkCustody,
  checkDeactivation,
  checkWallet,
  settleOwnDeactivation,
} from '../safeguards/foreign-writes.ts'
import { movePosition, openSwept, recordReturned } from '../accounting/transfers.ts'
import type { Transition } from '../transition.ts'
import { isPoll, recordSeen } from '../requests/requests.ts'
import { isStuck, keptText, recordLeavingProgress, recordLeavingRefusal } from './leaving.ts'
import { endSweep, recordFailedSweep } from './half-sweep.ts'
import { activationPause, recordActivationFailed, SWEEP_MS } from '../model/activation-state.ts'

/** Handles GET /account, which shows whether the position is active. It may have been changed in the dashboard. */
export function handleAccount(transition: Transition, event: AccountEvent): void {
  const { state, request } = transition
  const { activation } = state
  checkWallet(transition, event)
  const first = !state.received.account
  recordSeen(state, 'account')
  // During a sweep the account may still show the state before it.
  if (activation.inFlight !== null) return
  if (request !== undefined && request.sentAt < activation.answeredAt) {
    transition.expedite('account')
    return
  }
  checkDeactivation(transition, event)
  if (activation.isActive === event.isActive && !first) return
  learn(transition, event.isActive, false)
}

/** The wallet is read within this time, before which a deactivation that was answered as done is not repeated. */
const WALLET_SHOWN_MS = 10_000

/** Handles an answer of POST /activate: done, or done in part (207), which leaves the position active. */
export function handleActivation(transition: Transition, event: ActivationEvent): void {
  const { state, now, request } = transition
  const { activation } = state
  if (activation.inFlight !== null) settleOwnDeactivation(state, activation.inFlight)
  activation.inFlight = null
  activation.answeredAt = now
  activation.isPoolShown = false
  const asked = request?.what === 'activate' ? request.isActive : event.isActive
  // The answer to an activation proves nothing about a deactivation that was ordered since.
  const leaving = asked ? null : activation.leaving
  if (leaving) {
    recordLeavingProgress(leaving, now, event)
    const pause = activationPause(leaving.attempts)
    activation.notBefore = now + (leaving.doneAt === null ? pause : Math.max(pause, WALLET_SHOWN_MS))
  }
  if (!asked && event.amounts !== undefined) recordReturned(transition, event.amounts)
  if (event.partial) {
    activation.failures += 1
    if (!leaving) activation.notBefore = now + 2_000 * activation.failures
    movePosition(transition, { to: 'wallet', assets: event.returned })
    transition.alert(
      'partial-deactivation',
      `only ${event.returned.join(', ') || 'nothing'} came back from the pool${keptWords(event)}; ${leaving && isStuck(leaving) ? 'the daemon sends no further request because each of them was kept three times for the same reason' : 'the call is repeated'}`,
    )
  } else if (event.isActive === asked) {
    activation.failures = 0
    activation.problem = null
    activation.again = false
    activation.look = null
    // An activation sweeps the wallet even if the position was already active.
    if (asked && activation.held === 'pool') movePosition(transition, { to: 'pool', assets: null })
  } else {
    if (asked) activation.enteringUntil = now + SWEEP_MS
    // The venue reports success although the account disagrees. Pause, or calls would repeat as fast as it answers.
    activation.failures += 1
    activation.notBefore = now + activationPause(activation.failures)
    activation.problem = `the venue reports success, but that the position is ${event.isActive ? 'active' : 'inactive'}`
  }
  endSweep(transition, event)
  learn(transition, event.isActive, event.partial)
  if (asked && event.isActive && event.amounts !== undefined) openSwept(transition, event.amounts)
}

/** Handles a failure of POST /activate; without a clear answer it may still take effect. */
export function handleActivationFailure(
  transition: Transition,
  { failure, request: id }: RequestFailedEvent,
): void {
  const { state, now, request } = transition
  if (request === undefined) return
  // The position was active: the account shows whether it still is.
  if (isPoll(request) && failure.code === 'POSITION_INACTIVE' && state.activation.isActive === true)
    transition.expedite('account')
  if (request.what !== 'activate') return
  recordActivationFailed(state.activation, now, failure)
  if (request.isActive) recordFailedSweep(state, failure, now)
  else recordLeavingRefusal(state, failure.code, now)
  if (failure.outcome === 'failed') settleOwnDeactivation(state, id)
  if (failure.code === 'SELF_CUSTODY_ENABLED') checkCustody(transition)
  transition.expedite('account')
  transition.expedite('balances')
}

/** Records whether GET /balances shows the pool: an inactive account alone does not prove that the tokens left it. */
export function recordBalanceSource({ state }: Transition, { source, sentAt }: BalancesEvent): void {
  const { activation } = state
  if (source === null || sentAt < activation.answeredAt) return
  activation.isPoolShown = source === 'pool'
}

function keptWords({ failed = [] }: ActivationEvent): string {
  return failed.length === 0 ? '' : `, and it keeps ${keptText(failed)}`
}

function learn(transition: Transition, isActive: boolean, partial: boolean): void {
  const { activation } = transition.state
  const before = activation.isActive
  activation.isActive = isActive
  if (isActive) {
    activation.seenActive = true
    activation.hasLeft = false
    activation.unansweredUntil = null
    activation.enteringUntil = null
  }
  const held = isActive ? 'pool' : 'wallet'
  if (activation.held !== null && activation.held !== held)
    movePosition(transition, { to: held, assets: null })
  activation.held = held
  if (before === isActive && !partial) return
  transition.emit({ type: 'activationChanged', t: transition.now, isActive, partial })
  transition.expedite('balances')
  transition.expedite('fills')
  transition.requestDecision('balances')
}
