import { SIDES, type Side } from '../money/side.ts'
import type { QuotingState } from './quoting-state.ts'

/**
 * The venue holds another spread than the last PATCH asked for. Counted once a PATCH, whether its answer or a
 * read-back shows it, and only of PATCHes for safety: a tighter quote that is not held costs nothing.
 */
export function countMismatch(state: QuotingState): void {
  if (state.asked?.safety !== true || state.isCounted === true) return
  state.isCounted = true
  state.mismatches = (state.mismatches ?? 0) + 1
}

/**
 * A PATCH was confirmed as asked. An answer that only repeats the request proves nothing after a mismatch,
 * so both sides are read back before it is forgotten. Returns whether they are to be read.
 */
export function expectAsAsked(state: QuotingState): boolean {
  if ((state.mismatches ?? 0) === 0) return false
  state.unverified = { bid: true, ask: true }
  return true
}

/** A side was read back as it was confirmed; the second one ends the run of mismatches. */
export function verifySide(state: QuotingState, side: Side): void {
  if (state.unverified === undefined) return
  state.unverified[side] = false
  if (SIDES.every((one) => state.unverified?.[one] !== true)) forgetMismatches(state)
}

/** The run of mismatches is over, by proof or by a person's word. */
export function forgetMismatches(state: QuotingState): void {
  delete state.mismatches
  delete state.isCounted
  delete state.unverified
}
