import type { Ms } from '../base/time.ts'
import { allowedFrom } from './is-allowed.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'
import { pollDueAt } from './poll-due-at.ts'
import { isLowPoll, isPublicPoll, POLL_KINDS } from './poll-kind.ts'

/**
 * When to ask `nextPoll` again. Before this time it answers null; at this time it usually does not (only
 * a budget that is regrowing may need one more wait). At or before `now` when a poll may leave right now.
 */
export function nextDueAt(state: PacingState, settings: PacingSettings, now: Ms): Ms {
  const lowFrom = allowedFrom(state, settings, now, 'key', 'lowPoll')
  const keyFrom = allowedFrom(state, settings, now, 'key', 'poll')
  const publicFrom = allowedFrom(state, settings, now, 'public', 'poll')
  let earliest = Infinity
  for (const kind of POLL_KINDS) {
    const allowed = isPublicPoll(kind) ? publicFrom : isLowPoll(kind) ? lowFrom : keyFrom
    const due = Math.max(pollDueAt(state, settings, kind), allowed)
    if (due < earliest) earliest = due
  }
  return earliest
}
