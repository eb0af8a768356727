import type { Ms } from '../base/time.ts'
import type { Cause } from '../strategy/context.ts'
import type { LoadedStrategy } from '../strategy/loaded-strategy.ts'
import type { Effect } from './effect.ts'
import type { EngineState } from './engine-state.ts'
import type { Observation } from './observation.ts'

/** Pure answers about the calendar, given by the shell: does the cron expression match this minute? */
export type Calendar = (cron: string, timezone: string, at: Ms) => boolean

/** One event's way through the core: the state it changes and what it brings about. */
export type Turn = {
  readonly seq: number
  readonly now: Ms
  readonly state: EngineState
  readonly strategy: LoadedStrategy
  readonly calendar: Calendar
  readonly effects: Effect[]
  readonly observations: Observation[]
}

/** Asks for a decision at the end of this turn; the first cause is the one the strategy is told. */
export function wantDecision(turn: Turn, cause: Cause): void {
  turn.state.dirty ??= cause
}
