import { SECOND_MS, type Ms } from '../base/time.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'

/** One request a minute is given back for every clean stretch of this length. */
export const REGROW_MS: Ms = 10 * SECOND_MS

/** Which budget a question is about. */
export type LaneName = 'key' | 'public'

/**
 * Requests a minute we allow ourselves now: the configured figure, less while the venue's refusals are
 * fresh, never under a sixth of it and never under one.
 */
export function effectiveLimit(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  lane: LaneName = 'key',
): number {
  const configured = configuredLimit(settings, lane)
  const { limit, limitAt } = state[lane]
  const regrown = Math.max(0, Math.floor((now - limitAt) / REGROW_MS))
  return Math.min(configured, Math.max(limit, limitFloor(configured)) + regrown)
}

export function configuredLimit(settings: PacingSettings, lane: LaneName): number {
  return lane === 'key' ? settings.requestsPerMinute : settings.publicRequestsPerMinute
}

/** Under this no refusal pushes us: a bot that asks nothing learns nothing. 10 of 60. */
export function limitFloor(configured: number): number {
  return Math.min(configured, Math.max(1, Math.floor(configured / 6)))
}
