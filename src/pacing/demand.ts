import type { Ms } from '../base/time.ts'
import type { PacingState } from './pacing-state.ts'
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
