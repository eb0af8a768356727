import { MINUTE_MS, type Ms } from '../../base/time.ts'
import { holdPoll, restartPolls } from '../../pacing/reschedule.ts'
import { resumeOrders } from '../../rfq/state.ts'
import { beliefLost } from '../../quoting/confirmation.ts'
import type { EngineState } from '../model/state.ts'
import type { StartedEvent } from '../model/event.ts'
import { createOrderState } from '../orders/state.ts'
import { noteBelief } from '../quote/on-quote.ts'
import { awaitFeeds } from '../market/on-reference.ts'
import type { Transition } from '../transition.ts'
import { applyConfig } from './on-config.ts'
import { noteWithdrawalEnd, noteWithdrawRules } from '../withdrawals/on-request.ts'

const BALANCES_PATIENCE_MS = 3_000

/**
 * A process takes over. Whatever was in flight has an unknown outcome; the quote is read back, the books
 * are compared again, and latches stay as they were.
 */
export function handleStarted(transition: Transition, event: StartedEvent): void {
  const { state, now } = transition
  state.processStartedAt = now
  state.version = event.version
  state.exiting = false
  state.stance = null
  state.errorCycles = 0
  state.authFailure = null
  delete state.authRefusals
  delete state.quoting.asked
  state.heard = { account: false, rate: false, balances: false, fills: false }
  for (const request of Object.values(state.requests)) {
    if (request.what === 'withdraw') {
      state.withdrawals.unknown.push({ at: now, asset: request.asset, amount: request.amount })
      noteWithdrawalEnd(state, request.key, 'unknown')
    }
  }
  state.requests = {}
  takeUpOrders(state)
  // A sweep that was under way may be still, and the account show the state before it.
  const look = state.activation.inFlight === null ? null : { at: now, count: 1 }
  state.activation = { ...state.activation, isActive: null, inFlight: null, failures: 0, notBefore: 0, look }
  delete state.activation.seenActive
  restartPolls(state.pacing)
  // Balances mean nothing before the first fills answer, which asks for them.
  holdPoll(state.pacing, 'balances', now + BALANCES_PATIENCE_MS)
  // The two public probes take turns, so that a new mid is seen twice as soon.
  holdPoll(state.pacing, 'publicAsk', now + publicOffset(event.config.pacing.publicRequestsPerMinute))
  const before = state.quoting.belief
  beliefLost(state.quoting, 'not read back since the start')
  state.quoting.failures = 0
  noteBelief(transition, before)
  noteWithdrawRules(transition, state.config.withdraw, event.config.withdraw)
  applyConfig(transition, event.config)
  awaitFeeds(transition)
  transition.requestDecision('start')
}

/** Every order is live until the chain says otherwise; what was being signed or sent may be out there. */
function takeUpOrders(state: EngineState): void {
  const { heldRows, doomed, toldOutflows = [] } = state.orders
  state.orders = { ...createOrderState(), heldRows, doomed, toldOutflows }
  resumeOrders(state.rfq)
}

/** Half the time between two probes of one side: each side has half of the public requests. */
function publicOffset(perMinute: number): Ms {
  return perMinute > 0 ? MINUTE_MS / perMinute : 0
}
