import type { Ms } from '../base/time.ts'
import { type PacingSettings, type PacingState, POLL_KINDS, type PollKind } from './state.ts'
import { baseInterval, pollInterval } from './poll-schedule.ts'

/**
 * Makes a poll due at once, whatever its interval says; the back-off still holds, and mid and books keep
 * a few seconds between two demands. `since` is when what makes us ask happened: a poll that left after it
 * answers the demand already, so asking again and again costs nothing. Without it another poll leaves in
 * any case, after the one in flight.
 */
export function expedite(state: PacingState, kind: PollKind, since: Ms = Infinity): void {
  const poll = state.polls[kind]
  if (poll.inFlightSince !== null && poll.inFlightSince > since) return
  poll.demanded = true
}

/** After what makes a poll worth more it keeps this share of its interval to the one before it. */
const BROUGHT_FORWARD = 2 / 3

/**
 * Brings the next poll of this kind forward, at the earliest to two thirds of its interval after the last one.
 * It takes the place of the one that was due: done again and again it makes the poll half as frequent again
 * as its interval, and no more, so that the others keep theirs.
 */
export function bringForward(state: PacingState, settings: PacingSettings, now: Ms, kind: PollKind): void {
  const poll = state.polls[kind]
  const earliest = (poll.lastSentAt ?? -Infinity) + baseInterval(settings, kind) * BROUGHT_FORWARD
  poll.dueAt = Math.min(poll.dueAt, Math.max(now, earliest))
}

/** Puts a poll off until `until`, unless somebody demands it before: its answer would be of no use yet. */
export function holdPoll(state: PacingState, kind: PollKind, until: Ms): void {
  const poll = state.polls[kind]
  poll.demanded = false
  poll.dueAt = Math.max(poll.dueAt, until)
}

/** New settings hold from now: nothing waits for the rest of a longer old interval. */
export function retunePacing(state: PacingState, settings: PacingSettings, now: Ms): void {
  for (const kind of POLL_KINDS) {
    const poll = state.polls[kind]
    poll.dueAt = Math.min(poll.dueAt, now + pollInterval(state, settings, now, kind))
  }
}

/**
 * A process took over: what was in flight will never be answered and everything is demanded again. What was
 * sent still counts, for the venue counts it too.
 */
export function restartPolls(state: PacingState): void {
  for (const kind of POLL_KINDS) {
    const poll = state.polls[kind]
    poll.inFlightSince = null
    poll.demanded = true
    poll.failures = 0
    poll.backOffUntil = 0
  }
}
