import { SECOND_MS, type Ms } from '../base/time.ts'
import type { PacingState, PollState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'
import { baseInterval } from './poll-interval.ts'
import { isLowPoll, type PollKind } from './poll-kind.ts'

/** A demand for mid or books waits this long after the last such poll, or a third of its interval if less. */
const MAX_DEMAND_GAP_MS: Ms = 5 * SECOND_MS

/** When this poll is due, the budget aside: after its back-off, and never while one is in flight. */
export function pollDueAt(state: PacingState, settings: PacingSettings, kind: PollKind): Ms {
  const poll = state.polls[kind]
  const wanted = Math.max(wantedAt(poll, settings, kind), poll.backOffUntil)
  // One that was never answered holds its place only until it counts as lost.
  return poll.inFlightSince === null
    ? wanted
    : Math.max(wanted, poll.inFlightSince + settings.requestTimeoutMs)
}

function wantedAt(poll: PollState, settings: PacingSettings, kind: PollKind): Ms {
  if (!poll.demanded) return poll.dueAt
  if (poll.lastSentAt === null || !isLowPoll(kind)) return 0
  const gap = Math.min(MAX_DEMAND_GAP_MS, baseInterval(settings, kind) / 3)
  return Math.min(poll.lastSentAt + gap, poll.dueAt)
}
