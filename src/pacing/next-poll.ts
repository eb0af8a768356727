import type { Ms } from '../base/time.ts'
import { isAllowed } from './is-allowed.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'
import { pollDueAt } from './poll-due-at.ts'
import { isLowPoll, isPublicPoll, POLL_KINDS, type PollKind } from './poll-kind.ts'

/**
 * The most valuable poll that is due and fits the budget now, or null. Changes nothing: tell `noteSent`
 * when it leaves, then ask again until null.
 */
export function nextPoll(state: PacingState, settings: PacingSettings, now: Ms): PollKind | null {
  for (const kind of POLL_KINDS) {
    if (pollDueAt(state, settings, kind) > now) continue
    if (
      isAllowed(
        state,
        settings,
        now,
        isPublicPoll(kind) ? 'public' : 'key',
        isLowPoll(kind) ? 'lowPoll' : 'poll',
      )
    )
      return kind
  }
  return null
}
