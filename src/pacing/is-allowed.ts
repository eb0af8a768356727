import type { Ms } from '../base/time.ts'
import { REGROW_MS, configuredLimit, effectiveLimit, type LaneName } from './effective-limit.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'
import { countSent, timeWhenAtMost } from './sent-window.ts'
import { ordinaryRoom, headroom } from './ordinary-room.ts'

/**
 * What a request of the key is for. `safety` may use all of it, the reserve too; `quote` goes on only
 * while such writes took less than a third of the rest, so that a strategy which requotes without end cannot
 * blind us to fills; `poll` may use all of the rest, `lowPoll` (mid and books) leaves the last few to fills.
 */
export type Purpose = 'safety' | 'quote' | 'poll' | 'lowPoll'

/** Whether one more request fits into the budget right now. */
export function isAllowed(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  lane: LaneName,
  purpose: Purpose,
): boolean {
  if (now < state[lane].silentUntil) return false
  if (countSent(state[lane].sent, now) >= roomFor(state, settings, now, lane, purpose)) return false
  return purpose !== 'quote' || countSent(state.quoteWrites, now) < quoteRoom(state, settings, now)
}

/**
 * When `isAllowed` may become true at the earliest; `now` when it is. Never too late; it may be early
 * while a shrunken limit regrows, so ask again then. Infinity when the lane is turned off.
 */
export function allowedFrom(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  lane: LaneName,
  purpose: Purpose,
): Ms {
  if (configuredLimit(settings, lane) <= 0) return Infinity
  const { silentUntil, sent, limitAt } = state[lane]
  const base = Math.max(now, silentUntil)
  let from = timeWhenAtMost(sent, base, roomFor(state, settings, base, lane, purpose) - 1)
  if (purpose === 'quote') {
    from = Math.max(from, timeWhenAtMost(state.quoteWrites, base, quoteRoom(state, settings, base) - 1))
  }
  if (from <= base || effectiveLimit(state, settings, base, lane) >= configuredLimit(settings, lane))
    return from
  const nextRegrowth = limitAt + REGROW_MS * (Math.max(0, Math.floor((base - limitAt) / REGROW_MS)) + 1)
  return Math.min(from, nextRegrowth)
}

function roomFor(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  lane: LaneName,
  purpose: Purpose,
): number {
  if (lane === 'public' || purpose === 'safety') return effectiveLimit(state, settings, now, lane)
  const room = ordinaryRoom(state, settings, now)
  return purpose === 'lowPoll' ? room - headroom(room) : room
}

/** How many writes for the quote or for orders a minute may have, and how many were sent within it. */
export function quoteShare(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
): { readonly limit: number; readonly used: number } {
  return { limit: quoteRoom(state, settings, now), used: countSent(state.quoteWrites, now) }
}

function quoteRoom(state: PacingState, settings: PacingSettings, now: Ms): number {
  return Math.max(1, Math.ceil(ordinaryRoom(state, settings, now) / 3))
}
