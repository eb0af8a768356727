import type { Ms } from '../base/time.ts'
import type { PacingState } from './pacing-state.ts'
import { isPublicPoll, type PollKind } from './poll-kind.ts'
import { rememberSent } from './sent-window.ts'

/** What leaves: a poll, a spread that the strategy wants, or a write that safety or an operator wants. */
export type SentKind = PollKind | 'quoteWrite' | 'safetyWrite'

/** A request leaves: it counts from now on, whatever becomes of it. */
export function noteSent(state: PacingState, now: Ms, kind: SentKind): void {
  if (kind === 'quoteWrite' || kind === 'safetyWrite') {
    rememberSent(state.key.sent, now)
    rememberSent(state.unplanned, now)
    if (kind === 'quoteWrite') rememberSent(state.quoteWrites, now)
    return
  }
  const poll = state.polls[kind]
  if (isPublicPoll(kind)) rememberSent(state.public.sent, now)
  else {
    rememberSent(state.key.sent, now)
    if (poll.demanded) rememberSent(state.unplanned, now)
  }
  poll.demanded = false
  poll.lastSentAt = now
  poll.inFlightSince = now
}
