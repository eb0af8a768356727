import type { Ms } from '../base/time.ts'
import { allowedFrom, isAllowed } from './is-allowed.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'

/** Whether a request of the key for this purpose may leave now. `safety` may use the reserve. */
export function maySend(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  purpose: 'safety' | 'quote' | 'poll',
): boolean {
  return isAllowed(state, settings, now, 'key', purpose)
}

/** When to ask `maySend` again after a no; `now` after a yes. */
export function maySendFrom(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  purpose: 'safety' | 'quote' | 'poll',
): Ms {
  return allowedFrom(state, settings, now, 'key', purpose)
}
