import type { Ms } from '../base/time.ts'
import type { Instruction } from './instruction.ts'
import { forgetReadings, noteProven, sayVerdict } from './say-verdict.ts'
import type { CompletenessState } from './completeness.ts'

/**
 * The ledger was moved by something other than a fill (own transfer, sweep, the operator's booking):
 * readings that were under way are void. A confirmed difference is looked at afresh.
 */
export function noteMoved(state: CompletenessState, t: Ms): void {
  forgetReadings(state, t)
}

/** An activation's outcome is known and its sweep was posted. */
export function noteActivation(state: CompletenessState, t: Ms, partial: boolean): void {
  forgetReadings(state, t)
  // What a partial deactivation returned went out of sight, so nothing new can come into sight with it.
  if (!partial) state.sweepPending = true
}

/** The operator had the unexplained difference booked: what remains must be proven again. */
export function noteSettled(state: CompletenessState, t: Ms, why: string): Instruction[] {
  const out: Instruction[] = []
  forgetReadings(state, t)
  noteProven(state)
  sayVerdict(state, out, 'checking', why, {})
  out.push({ do: 'ask', what: 'balances', why })
  return out
}

/** Fills were booked that a confirmed difference may be: it is confirmed anew before anybody books it as something else. */
export function noteDoubt(state: CompletenessState, why: string): Instruction[] {
  const out: Instruction[] = []
  state.suspects = []
  state.run = 0
  sayVerdict(state, out, 'checking', why, {})
  out.push({ do: 'ask', what: 'balances', why })
  return out
}
