import type { Ms } from '../../base/time.ts'
import { type PacingSettings, type PacingState, POLL_KINDS, type PollKind } from './state.ts'
import { baseInterval, pollIntervals } from './poll-schedule.ts'

/**
 * Makes a poll due at once, regardless of its interval; the back-off still applies, and low polls keep a few seconds between two
 * expedited ones. `since` is the time of the cause: a poll sent after it will show the effect, so expediting again has no cost.
 * Without `since` another poll follows the one in flight.
 */
export function expedite(state: PacingState, kind: PollKind, since: Ms = Infinity): void {
  const poll = state.polls[kind]
  if (poll.inFlightSince !== null && poll.inFlightSince > since) return
  poll.expedited = true
}

/** The share of its interval that a poll keeps from the previous one when it is brought forward. */
const BROUGHT_FORWARD = 2 / 3

/**
 * Brings the next poll of this kind forward, at the earliest to two thirds of its interval after the last one.
 * It replaces the poll that was due. No matter how often this is repeated, the poll becomes at most 50 % more frequent, so the
 * other polls keep their share.
 */
export function bringForward(state: PacingState, settings: PacingSettings, now: Ms, kind: PollKind): void {
  const poll = state.polls[kind]
  const earliest = (poll.lastSentAt ?? -Infinity) + baseInterval(settings, kind) * BROUGHT_FORWARD
  poll.dueAt = Math.min(poll.dueAt, Math.max(now, earliest))
}

/** Postpones a poll whose answer would be useless before `until`; `expedite` still makes it due at once. */
export function holdPoll(state: PacingState, kind: PollKind, until: Ms): void {
  const poll = state.polls[kind]
  poll.expedited = false
  poll.dueAt = Math.max(poll.dueAt, until)
}

/** Applies new intervals from now on: no poll waits for the rest of a longer old one. */
export function retunePacing(state: PacingState, settings: PacingSettings, now: Ms): void {
  const intervalOf = pollIntervals(state, settings, now)
  for (const kind of POLL_KINDS) {
    const poll = state.polls[kind]
    poll.dueAt = Math.min(poll.dueAt, now + intervalOf(kind))
  }
}

/**
 * Prepares polling for a new process: requests in flight will get no answer, and every poll is expedited. Requests already sent
 * still count, because the venue counts them too. `isPrompt`: polls do not keep a distance to those of the previous process;
 * otherwise a position that changes hands would have no quote in the meantime.
 */
export function restartPolls(state: PacingState, isPrompt: boolean): void {
  for (const kind of POLL_KINDS) {
    const poll = state.polls[kind]
    poll.inFlightSince = null
    if (isPrompt) poll.lastSentAt = null
    poll.expedited = true
    poll.failures = 0
    poll.backOffUntil = 0
  }
}
