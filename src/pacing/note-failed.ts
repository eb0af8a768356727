import { seededRandom } from '../base/random.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../base/time.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'
import type { PollKind } from './poll-kind.ts'

const MAX_BACK_OFF_MS: Ms = 30 * SECOND_MS

/**
 * A poll failed or its answer was lost. It backs off by the budget's average gap (1 s at 60 a
 * minute), then twice that and so on to 30 s, each time between half and all of it, so that several
 * positions do not come back in step. After a 429 call `noteRateLimited` as well.
 */
export function noteFailed(state: PacingState, settings: PacingSettings, now: Ms, kind: PollKind): void {
  const poll = state.polls[kind]
  const first = MINUTE_MS / Math.max(1, settings.requestsPerMinute)
  const full = Math.min(MAX_BACK_OFF_MS, first * 2 ** Math.min(poll.failures, 10))
  const share = 0.5 + 0.5 * seededRandom(state.jitterCounter, `back-off ${kind}`)()
  state.jitterCounter = (state.jitterCounter + 1) % 0x7fffffff
  poll.inFlightSince = null
  poll.failures++
  poll.dueAt = now
  poll.backOffUntil = now + Math.ceil(full * share)
}
