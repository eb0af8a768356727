import type { EngineState } from '../model/state.ts'

/** This process has read it from the venue, or from the chain. */
export function recordSeen(state: EngineState, what: keyof EngineState['heard']): void {
  const { heard } = state
  if (what === 'rate') heard.rate = true
  else heard[what] = true
}

/** The daemon is about to end: from here on the position is left as `quote.onExit` says. */
export function beginExit(state: EngineState): void {
  state.exiting = true
}
