import type { Cause } from '../../strategy/context.ts'
import type { EngineState } from '../model/state.ts'

/** Asks for a decision at the end of this transition; the strategy sees the first cause. */
export function requestDecision(state: EngineState, cause: Cause): void {
  state.dirty ??= cause
}

/** Returns the cause of the pending decision and clears it; `timer` if no event requested one. */
export function takeCause(state: EngineState): Cause {
  const cause = state.dirty ?? 'timer'
  state.dirty = null
  return cause
}

/** Withdraws the approved target until the next decision. */
export function dropApproved(state: EngineState): void {
  state.approvedTarget = null
}

/** The strategy is not asked again until an operator resumes or other code is loaded. */
export function suspendStrategy(state: EngineState, why: string): void {
  state.strategy.suspended = why
}
