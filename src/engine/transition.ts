import type { Ms } from '../base/time.ts'
import type { Cause } from '../strategy/context.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'
import type { Effect } from './model/effect.ts'
import type { ContextProvider } from './decision/strategy-context.ts'
import type { EngineState } from './model/state.ts'
import type { Observation } from './model/observation.ts'

/** Pure answers about the calendar, given by the shell: does the cron expression match this minute? */
export type Calendar = (cron: string, timezone: string, at: Ms) => boolean

/** One event's way through the core: the state it changes and what it brings about. */
export type Transition = {
  readonly seq: number
  readonly now: Ms
  readonly state: EngineState
  readonly strategy: LoadedStrategy
  readonly calendar: Calendar
  readonly effects: Effect[]
  readonly observations: Observation[]
  /** What the strategy is shown, and whether it looked at the clock. */
  readonly desk: ContextProvider
  /** Who makes the polls: the core itself, or a shell that gives their news unasked. */
  readonly looks: Polling
  /** Whether anybody wants to hear of each fill; decisions never depend on it. */
  readonly observes: boolean
}

/**
 * `asked`: the core paces and sends its polls. `given`: a shell makes them on the core's behalf and tells
 * only their news; polls that bring none leave no event (backtests).
 */
export type Polling = 'asked' | 'given'

/** Asks for a decision at the end of this turn; the first cause is the one the strategy is told. */
export function requestDecision(turn: Transition, cause: Cause): void {
  turn.state.dirty ??= cause
}
