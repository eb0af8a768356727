import { backoffMs } from '../base/backoff.ts'
import { seededRandom } from '../base/random.ts'
import { SECOND_MS, type Ms } from '../base/time.ts'
import type { PacingState } from './pacing-state.ts'
import type { PollKind } from './poll-kind.ts'

const FIRST_BACK_OFF_MS: Ms = SECOND_MS
const MAX_BACK_OFF_MS: Ms = 30 * SECOND_MS

/**
 * A poll failed or its answer was lost. It backs off 1, 2, 4 ... 30 s, each time between half and all of
 * it, so that polls (and positions of different seeds) do not come back in step. After a 429 call
 * `noteRateLimited` as well.
 */
export function noteFailed(state: PacingState, now: Ms, kind: PollKind): void {
  const poll = state.polls[kind]
  const full = backoffMs(poll.failures + 1, FIRST_BACK_OFF_MS, MAX_BACK_OFF_MS)
  const share = 0.5 + 0.5 * seededRandom(state.jitterCounter, `back-off ${kind}`)()
  state.jitterCounter = (state.jitterCounter + 1) % 0x7fffffff
  poll.inFlightSince = null
  poll.failures++
  poll.dueAt = now
  poll.backOffUntil = now + Math.ceil(full * share)
}
