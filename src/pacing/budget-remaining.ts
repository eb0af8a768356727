import type { Ms } from '../base/time.ts'
import { effectiveLimit } from './effective-limit.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'
import { countSent } from './sent-window.ts'

/** Requests the key could still send now, reserve included; 0 while silent. */
export function budgetRemaining(state: PacingState, settings: PacingSettings, now: Ms): number {
  if (now < state.key.silentUntil) return 0
  return Math.max(0, effectiveLimit(state, settings, now) - countSent(state.key.sent, now))
}
