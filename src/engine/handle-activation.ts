import { demand } from '../pacing/demand.ts'
import type { AccountEvent, ActivationEvent } from './event.ts'
import { movePosition } from './reconcile.ts'
import { wantDecision, type Turn } from './turn.ts'

/** GET /account: whether the position is in the market. It can be changed behind our back, in the dashboard. */
export function handleAccount(turn: Turn, event: AccountEvent): void {
  const { state } = turn
  const { activation } = state
  const first = !state.heard.account
  state.heard.account = true
  // While a sweep is under way the account may still show the state before it.
  if (activation.inFlight !== null) return
  if (activation.isActive === event.isActive && !first) return
  learn(turn, event.isActive, false)
}

/** POST /activate was answered: done, or done in part (207), which leaves the position active. */
export function handleActivation(turn: Turn, event: ActivationEvent): void {
  const { state, now } = turn
  const { activation } = state
  activation.inFlight = null
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
  } else {
    activation.failures = 0
  }
  learn(turn, event.isActive, event.partial)
}

function learn(turn: Turn, isActive: boolean, partial: boolean): void {
  const { activation, pacing } = turn.state
  const before = activation.isActive
  activation.isActive = isActive
  const held = isActive ? 'pool' : 'wallet'
  if (activation.held !== null && activation.held !== held) movePosition(turn, { to: held, assets: null })
  activation.held = held
  if (before === isActive && !partial) return
  turn.observations.push({ type: 'activationChanged', t: turn.now, isActive, partial })
  demand(pacing, 'balances')
  demand(pacing, 'fills')
  wantDecision(turn, 'balances')
}
