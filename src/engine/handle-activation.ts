import { demand } from '../pacing/demand.ts'
import type { AccountEvent, ActivationEvent } from './event.ts'
import { activationPause } from './activation-pause.ts'
import { checkDeactivation, checkWallet } from './foreign-writes.ts'
import { settleOwnDeactivation } from './own-writes.ts'
import type { ActivationState, InFlight } from './engine-state.ts'
import { movePosition } from './move-position.ts'
import { wantDecision, type Turn } from './turn.ts'

/** Nothing is known of whether the position is in the market, and nothing is wanted. */
export function createActivation(): ActivationState {
  return {
    isActive: null,
    held: null,
    wanted: null,
    inFlight: null,
    failures: 0,
    notBefore: 0,
    answeredAt: 0,
  }
}

/** GET /account: whether the position is in the market. It can be changed behind our back, in the dashboard. */
export function handleAccount(turn: Turn, event: AccountEvent, request: InFlight | undefined): void {
  const { state } = turn
  const { activation } = state
  checkWallet(turn, event)
  const first = !state.heard.account
  state.heard.account = true
  // While a sweep is under way the account may still show the state before it.
  if (activation.inFlight !== null) return
  if (request !== undefined && request.sentAt < activation.answeredAt) {
    demand(state.pacing, 'account')
    return
  }
  checkDeactivation(turn, event)
  if (activation.isActive === event.isActive && !first) return
  learn(turn, event.isActive, false)
}

/** POST /activate was answered: done, or done in part (207), which leaves the position active. */
export function handleActivation(turn: Turn, event: ActivationEvent, request: InFlight | undefined): void {
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

function learn(turn: Turn, isActive: boolean, partial: boolean): void {
  const { activation, pacing } = turn.state
  const before = activation.isActive
  activation.isActive = isActive
  if (isActive) activation.seenActive = true
  const held = isActive ? 'pool' : 'wallet'
  if (activation.held !== null && activation.held !== held) movePosition(turn, { to: held, assets: null })
  activation.held = held
  if (before === isActive && !partial) return
  turn.observations.push({ type: 'activationChanged', t: turn.now, isActive, partial })
  demand(pacing, 'balances')
  demand(pacing, 'fills')
  wantDecision(turn, 'balances')
}
