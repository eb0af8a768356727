import type { Ms } from '../base/time.ts'
import type { PacingState } from './pacing-state.ts'
import type { PollKind } from './poll-kind.ts'

/** Puts a poll off until `until`, unless somebody demands it before: its answer would be of no use yet. */
export function holdPoll(state: PacingState, kind: PollKind, until: Ms): void {
  const poll = state.polls[kind]
  poll.demanded = false
  poll.dueAt = Math.max(poll.dueAt, until)
}
