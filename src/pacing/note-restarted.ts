import type { PacingState } from './pacing-state.ts'
import { POLL_KINDS } from './poll-kind.ts'

/**
 * A process took over: what was in flight will never be answered and everything is demanded again. What was
 * sent still counts, for the venue counts it too.
 */
export function noteRestarted(state: PacingState): void {
  for (const kind of POLL_KINDS) {
    const poll = state.polls[kind]
    poll.inFlightSince = null
    poll.demanded = true
    poll.failures = 0
    poll.backOffUntil = 0
  }
}
