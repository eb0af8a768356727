import { expedite } from '../../pacing/reschedule.ts'
import type { AccountEvent, ActivationEvent } from '../model/event.ts'
import { checkDeactivation, checkWallet, settleOwnDeactivation } from '../safeguards/foreign-writes.ts'
import type { InFlight } from '../requests/state.ts'
import { movePosition } from '../accounting/transfers.ts'
import { requestDecision, type Transition } from '../transition.ts'
import { backoffMs } from '../../base/backoff.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../base/time.ts'

/** GET /account: whether the position is in the market. It can be changed behind our back, in the dashboard. */
export function handleAccount(turn: Transition, event: AccountEvent, request: InFlight | undefined): void {
  const { state } = turn
  const { activation } = state
  checkWallet(turn, event)
  const first = !state.heard.account
  state.heard.account = true
  // While a sweep is under way the account may still show the state before it.
  if (activation.inFlight !== null) return
  if (request !== undefined && request.sentAt < activation.answeredAt) {
    expedite(state.pacing, 'account')
    return
  }
  checkDeactivation(turn, event)
  if (activation.isActive === event.isActive && !first) return
  learn(turn, event.isActive, false)
}

/** POST /activate was answered: done, or done in part (207), which leaves the position active. */
export function handleActivation(
  turn: Transition,
  event: ActivationEvent,
  request: InFlight | undefined,
): void {
  const { state, now } = turn
  const { activation } = state
  if (activation.inFlight !== null) settleOwnDeactivation(state, activation.inFlight)
  activation.inFlight = null
  activation.answeredAt = now
  const asked = request?.what === 'activate' ? request.isActive : event.isActive
  if (event.partial) {
    activation.failures += 1
    activation.notBefore = now + 2_000 * activation.failures
    movePosition(turn, { to: 'wallet', assets: event.returned })
    turn.observations.push({
      type: 'alert',
      t: now,
      severity: 'critical',
      code: 'partial-deactivation',
      message: `only ${event.returned.join(', ') || 'nothing'} came back from the pool; the call is repeated`,
    })
  } else if (event.isActive === asked) {
    activation.failures = 0
    activation.problem = null
    activation.again = false
    activation.look = null
    // An activation sweeps the wallet also where the position was active already.
    if (asked && activation.held === 'pool') movePosition(turn, { to: 'pool', assets: null })
  } else {
    // Done, it says, and is not: asking again at once would go round as fast as the venue answers.
    activation.failures += 1
    activation.notBefore = now + activationPause(activation.failures)
    activation.problem = `the venue answers that it is done and that the position is ${event.isActive ? 'active' : 'inactive'}`
  }
  learn(turn, event.isActive, event.partial)
}

function learn(turn: Transition, isActive: boolean, partial: boolean): void {
  const { activation, pacing } = turn.state
  const before = activation.isActive
  activation.isActive = isActive
  if (isActive) activation.seenActive = true
  const held = isActive ? 'pool' : 'wallet'
  if (activation.held !== null && activation.held !== held) movePosition(turn, { to: held, assets: null })
  activation.held = held
  if (before === isActive && !partial) return
  turn.observations.push({ type: 'activationChanged', t: turn.now, isActive, partial })
  expedite(pacing, 'balances')
  expedite(pacing, 'fills')
  requestDecision(turn, 'balances')
}

/** How long to wait after so many activations in a row without a clear yes: 2 s, doubling to a minute. */
export function activationPause(failures: number): Ms {
  return backoffMs(failures, 2 * SECOND_MS, MINUTE_MS)
}
