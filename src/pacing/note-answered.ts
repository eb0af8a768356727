import { MINUTE_MS, type Ms } from '../base/time.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'
import { pollInterval } from './poll-interval.ts'
import type { PollKind } from './poll-kind.ts'

/**
 * A poll was answered. The next one is due an interval after this one LEFT, so that a slow venue is not
 * asked less often. `newFills`: rows that no earlier poll had shown.
 */
export function noteAnswered(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  kind: PollKind,
  answer: { readonly newFills?: number } = {},
): void {
  const poll = state.polls[kind]
  const sentAt = poll.inFlightSince ?? now
  poll.inFlightSince = null
  poll.failures = 0
  poll.backOffUntil = 0
  if (kind === 'fills') learnFillRate(state, sentAt, answer.newFills ?? 0)
  poll.dueAt = sentAt + pollInterval(state, settings, now, kind)
}

/** Believes a rise at half its weight at once, and forgets it over about a minute. */
function learnFillRate(state: PacingState, sentAt: Ms, newFills: number): void {
  const { asOf, perMs } = state.fills
  state.fills.asOf = sentAt
  if (asOf === null || sentAt <= asOf) return
  const elapsed = sentAt - asOf
  const seen = newFills / elapsed
  const weight =
    seen > perMs ? Math.max(0.5, elapsed / (elapsed + MINUTE_MS)) : elapsed / (elapsed + MINUTE_MS)
  state.fills.perMs = perMs + weight * (seen - perMs)
}
