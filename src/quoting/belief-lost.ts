import type { QuotingState } from './quoting-state.ts'

/** A PATCH without an answer, or a start: nobody knows what stands until it is read back. */
export function beliefLost(state: QuotingState, why: string): void {
  if (state.inFlight !== null) state.failures += 1
  state.inFlight = null
  state.belief = 'unknown'
  state.why = why
  state.awaiting = { bid: true, ask: true }
  state.read = { bid: null, ask: null }
}
