import type { Cause } from '../../strategy/context.ts'
import type { EngineState } from '../model/state.ts'

/** Asks for a decision at the end of this transition; the strategy sees the first cause. */
export function requestDecision(state: EngineState, cause: Cause): void {
  state.dirty ??= cause
}

/** Takes the cause of the decision that is due; `timer` where none was asked for. */
export function takeCause(state: EngineState): Cause {
  const cause = state.dirty ?? 'timer'
  state.dirty = null
  return cause
}

/** Nothing is approved until the next decision. */
export function dropApproved(state: EngineState): void {
  state.approvedTarget = null
}

/** The strategy is not asked again until an operator resumes or other code is loaded. */
export function suspendStrategy(state: EngineState, why: string): void {
  state.strategy.suspended = why
}
