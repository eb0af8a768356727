import type { Ms } from '../base/time.ts'
import type { PacingSettings } from './pacing-settings.ts'
import type { PacingState } from './pacing-state.ts'
import { baseInterval } from './poll-interval.ts'
import type { PollKind } from './poll-kind.ts'

/**
 * Makes a poll due at once, whatever its interval says; the back-off still holds, and mid and books keep
 * a few seconds between two demands. `since` is when what makes us ask happened: a poll that left after it
 * answers the demand already, so asking again and again costs nothing. Without it another poll leaves in
 * any case, after the one in flight.
 */
export function demand(state: PacingState, kind: PollKind, since: Ms = Infinity): void {
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
