import { type Ms, SECOND_MS } from '../base/time.ts'
import type { PacingSettings, PacingState } from './state.ts'
import { countSent, timeWhenAtMost } from './request-window.ts'

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
  lane: BudgetName,
  purpose: Purpose,
): boolean {
  if (now < state[lane].silentUntil) return false
  if (countSent(state[lane].sent, now) >= capacityFor(state, settings, now, lane, purpose)) return false
  return purpose !== 'quote' || countSent(state.quoteWrites, now) < quoteCapacity(state, settings, now)
}

/**
 * When `isAllowed` may become true at the earliest; `now` when it is. Never too late; it may be early
 * while a shrunken limit regrows, so ask again then. Infinity when the lane is turned off.
 */
export function allowedFrom(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  lane: BudgetName,
  purpose: Purpose,
): Ms {
  if (configuredLimit(settings, lane) <= 0) return Infinity
  const { silentUntil, sent, limitAt } = state[lane]
  const base = Math.max(now, silentUntil)
  let from = timeWhenAtMost(sent, base, capacityFor(state, settings, base, lane, purpose) - 1)
  if (purpose === 'quote') {
    from = Math.max(from, timeWhenAtMost(state.quoteWrites, base, quoteCapacity(state, settings, base) - 1))
  }
  if (from <= base || effectiveLimit(state, settings, base, lane) >= configuredLimit(settings, lane))
    return from
  const nextRegrowth = limitAt + REGROW_MS * (Math.max(0, Math.floor((base - limitAt) / REGROW_MS)) + 1)
  return Math.min(from, nextRegrowth)
}

function capacityFor(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  lane: BudgetName,
  purpose: Purpose,
): number {
  if (lane === 'public' || purpose === 'safety') return effectiveLimit(state, settings, now, lane)
  const room = unreservedCapacity(state, settings, now)
  return purpose === 'lowPoll' ? room - slack(room) : room
}

/** How many writes for the quote or for orders a minute may have, and how many were sent within it. */
export function quoteShare(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
): { readonly limit: number; readonly used: number } {
  return { limit: quoteCapacity(state, settings, now), used: countSent(state.quoteWrites, now) }
}

function quoteCapacity(state: PacingState, settings: PacingSettings, now: Ms): number {
  return Math.max(1, Math.ceil(unreservedCapacity(state, settings, now) / 3))
}

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

/** Requests the key could still send now, reserve included; 0 while silent. */
export function budgetRemaining(state: PacingState, settings: PacingSettings, now: Ms): number {
  if (now < state.key.silentUntil) return 0
  return Math.max(0, effectiveLimit(state, settings, now) - countSent(state.key.sent, now))
}

/** Requests a minute for everything but safety writes: the limit less the reserve, at least one. */
export function unreservedCapacity(state: PacingState, settings: PacingSettings, now: Ms): number {
  const limit = effectiveLimit(state, settings, now, 'key')
  // A shrunken budget shrinks the reserve with it: otherwise ten a minute would be all reserve.
  const reserve = Math.floor((settings.reservePerMinute * limit) / Math.max(1, settings.requestsPerMinute))
  return Math.min(limit, Math.max(1, limit - reserve))
}

/** What the less valuable polls leave free of the ordinary room: 3 of 50. */
export function slack(room: number): number {
  return Math.floor(room / 16)
}

/** One request a minute is given back for every clean stretch of this length. */
const REGROW_MS: Ms = 10 * SECOND_MS

/** Which budget a question is about. */
export type BudgetName = 'key' | 'public'

/**
 * Requests a minute we allow ourselves now: the configured figure, less while the venue's refusals are
 * fresh, never under a sixth of it and never under one.
 */
export function effectiveLimit(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  lane: BudgetName = 'key',
): number {
  const configured = configuredLimit(settings, lane)
  const { limit, limitAt } = state[lane]
  const regrown = Math.max(0, Math.floor((now - limitAt) / REGROW_MS))
  return Math.min(configured, Math.max(limit, limitFloor(configured)) + regrown)
}

export function configuredLimit(settings: PacingSettings, lane: BudgetName): number {
  return lane === 'key' ? settings.requestsPerMinute : settings.publicRequestsPerMinute
}

/** Under this no refusal pushes us: a bot that asks nothing learns nothing. 10 of 60. */
export function limitFloor(configured: number): number {
  return Math.min(configured, Math.max(1, Math.floor(configured / 6)))
}
