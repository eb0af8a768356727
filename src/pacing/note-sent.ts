import type { Ms } from '../base/time.ts'
import type { PacingState } from './pacing-state.ts'
import { isPublicPoll, type PollKind } from './poll-kind.ts'
import { rememberSent } from './sent-window.ts'

/** What leaves: a poll, or anything that changes something at the venue. */
export type SentKind = PollKind | 'write'

/** A request leaves: it counts from now on, whatever becomes of it. */
export function noteSent(state: PacingState, now: Ms, kind: SentKind): void {
  if (kind === 'write') {
    rememberSent(state.key.sent, now)
    rememberSent(state.unplanned, now)
    rememberSent(state.writes, now)
    return
  }
  const poll = state.polls[kind]
  if (isPublicPoll(kind)) rememberSent(state.public.sent, now)
  else {
    rememberSent(state.key.sent, now)
    if (poll.demandedAt !== null) rememberSent(state.unplanned, now)
  }
  poll.demandedAt = null
  poll.lastSentAt = now
  poll.inFlightSince = now
}
