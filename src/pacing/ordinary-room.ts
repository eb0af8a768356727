import type { Ms } from '../base/time.ts'
import { effectiveLimit } from './effective-limit.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'

/** Requests a minute for everything but safety writes: the limit less the reserve, at least one. */
export function ordinaryRoom(state: PacingState, settings: PacingSettings, now: Ms): number {
  const limit = effectiveLimit(state, settings, now, 'key')
  // A shrunken budget shrinks the reserve with it: otherwise ten a minute would be all reserve.
  const reserve = Math.floor((settings.reservePerMinute * limit) / Math.max(1, settings.requestsPerMinute))
  return Math.min(limit, Math.max(1, limit - reserve))
}

/** What the less valuable polls leave free of the ordinary room: 3 of 50. */
export function headroom(room: number): number {
  return Math.floor(room / 16)
}
