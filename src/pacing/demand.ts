import type { Ms } from '../base/time.ts'
import type { PacingState } from './pacing-state.ts'
import type { PollKind } from './poll-kind.ts'

/**
 * Makes a poll due at once, whatever its interval says. One that is in flight may have been answered
 * before what made us ask, so the demand stands until another one leaves. The back-off still holds.
 */
export function demand(state: PacingState, kind: PollKind, now: Ms): void {
  const poll = state.polls[kind]
  poll.demandedAt = poll.demandedAt === null ? now : Math.min(poll.demandedAt, now)
}
