import type { Ms } from '../base/time.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'
import { POLL_KINDS } from './poll-kind.ts'
import { pollInterval } from './poll-interval.ts'

/** New settings hold from now: nothing waits for the rest of a longer old interval. */
export function retunePacing(state: PacingState, settings: PacingSettings, now: Ms): void {
  for (const kind of POLL_KINDS) {
    const poll = state.polls[kind]
    poll.dueAt = Math.min(poll.dueAt, now + pollInterval(state, settings, now, kind))
  }
}
