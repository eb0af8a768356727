import { MINUTE_MS, SECOND_MS, type Ms } from '../base/time.ts'
import { configuredLimit, effectiveLimit, limitFloor, type LaneName } from './effective-limit.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'

const MIN_SILENCE_MS: Ms = SECOND_MS
const DEFAULT_SILENCE_MS: Ms = 10 * SECOND_MS
/** No word of the venue keeps us from a safety write for longer than this. */
const MAX_SILENCE_MS: Ms = 5 * MINUTE_MS
const SHRINK = 0.8

/**
 * The venue said 429. Nothing leaves until its retry-after (10 s where it names none, 1 s to 5 min) and
 * the limit shrinks to 0.8 of itself; it regrows by one for every 10 clean seconds after the silence.
 * Several refusals of one burst are one refusal.
 */
export function noteRateLimited(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  retryAfterMs: Ms | null,
  laneName: LaneName = 'key',
): void {
  const lane = state[laneName]
  const wanted = retryAfterMs !== null && retryAfterMs >= 0 ? retryAfterMs : DEFAULT_SILENCE_MS
  const silence = Math.min(MAX_SILENCE_MS, Math.max(MIN_SILENCE_MS, wanted))
  if (now >= lane.silentUntil) {
    const configured = configuredLimit(settings, laneName)
    const shrunken = Math.floor(effectiveLimit(state, settings, now, laneName) * SHRINK)
    lane.limit = Math.max(limitFloor(configured), shrunken)
  }
  lane.silentUntil = Math.max(lane.silentUntil, now + silence)
  lane.limitAt = lane.silentUntil
}
