import { type Ms, SECOND_MS } from '../../base/time.ts'
import { countSent, timeWhenAtMost } from './request-window.ts'
import type { PacingSettings, PacingState } from './state.ts'

/**
 * The purpose of a request. `safety` may use the whole budget of the key, including the reserve. `quote` may use a third of the
 * rest, so that a strategy that requotes constantly does not delay the polls of fills. `poll` may use all of the rest;
 * `lowPoll` (mid, balances, account) leaves the last few requests to fills.
 */
type Purpose = 'safety' | 'quote' | 'poll' | 'lowPoll'

/** The budget that a request counts against. */
export type BudgetName = 'key' | 'public'

/** The limit recovers by one request per minute after each stretch of this length without a 429. */
const REGROW_MS: Ms = 10 * SECOND_MS

/** Returns whether one more request for this purpose fits into the budget now. */
export function maySend(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  purpose: Purpose,
  budget: BudgetName = 'key',
): boolean {
  const { blockedUntil, sent } = state[budget]
  if (now < blockedUntil) return false
  if (countSent(sent, now) >= capacityFor(state, settings, now, purpose, budget)) return false
  return purpose !== 'quote' || countSent(state.quoteWrites, now) < quoteCapacity(state, settings, now)
}

/**
 * Returns the earliest time at which `maySend` may become true; `now` if it is true. Never too late, but possibly too early
 * while a reduced limit regrows, so ask again then. Infinity for a budget that is turned off.
 */
export function maySendFrom(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  purpose: Purpose,
  budget: BudgetName = 'key',
): Ms {
  if (configuredLimit(settings, budget) <= 0) return Infinity
  const { blockedUntil, sent, limitAt } = state[budget]
  const base = Math.max(now, blockedUntil)
  let from = timeWhenAtMost(sent, base, capacityFor(state, settings, base, purpose, budget) - 1)
  if (purpose === 'quote') {
    from = Math.max(from, timeWhenAtMost(state.quoteWrites, base, quoteCapacity(state, settings, base) - 1))
  }
  if (from <= base || effectiveLimit(state, settings, base, budget) >= configuredLimit(settings, budget))
    return from
  const nextRegrowth = limitAt + REGROW_MS * (Math.max(0, Math.floor((base - limitAt) / REGROW_MS)) + 1)
  return Math.min(from, nextRegrowth)
}

/** Returns the number of requests the key can still send now, reserve included; 0 while it is blocked. */
export function budgetRemaining(state: PacingState, settings: PacingSettings, now: Ms): number {
  if (now < state.key.blockedUntil) return 0
  return Math.max(0, effectiveLimit(state, settings, now) - countSent(state.key.sent, now))
}

/** The writes for quotes and orders allowed per minute, and those sent within the last minute. */
export function quoteShare(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
): { readonly limit: number; readonly used: number } {
  return { limit: quoteCapacity(state, settings, now), used: countSent(state.quoteWrites, now) }
}

function capacityFor(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  purpose: Purpose,
  budget: BudgetName,
): number {
  if (budget === 'public' || purpose === 'safety') return effectiveLimit(state, settings, now, budget)
  const capacity = unreservedCapacity(state, settings, now)
  return purpose === 'lowPoll' ? capacity - slack(capacity) : capacity
}

function quoteCapacity(state: PacingState, settings: PacingSettings, now: Ms): number {
  return Math.max(1, Math.ceil(unreservedCapacity(state, settings, now) / 3))
}

/** Returns the requests per minute for everything except safety writes: the limit less the reserve, at least one. */
export function unreservedCapacity(state: PacingState, settings: PacingSettings, now: Ms): number {
  const limit = effectiveLimit(state, settings, now, 'key')
  // Reduce the reserve in proportion to the limit; otherwise it would use up a limit of ten.
  const reserve = Math.floor((settings.reservePerMinute * limit) / Math.max(1, settings.requestsPerMinute))
  return Math.min(limit, Math.max(1, limit - reserve))
}

/** Returns the part of the unreserved capacity that the less important polls leave free: 3 of 50. */
export function slack(capacity: number): number {
  return Math.floor(capacity / 16)
}

/**
 * Returns our current limit in requests per minute: the configured limit, reduced after a recent 429, but at least a sixth of
 * it and at least one.
 */
export function effectiveLimit(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  budget: BudgetName = 'key',
): number {
  const configured = configuredLimit(settings, budget)
  const { limit, limitAt } = budget === 'key' ? state.key : state.public
  if (limit >= configured) return configured
  const regrown = Math.max(0, Math.floor((now - limitAt) / REGROW_MS))
  return Math.min(configured, Math.max(limit, limitFloor(configured)) + regrown)
}

export function configuredLimit(settings: PacingSettings, budget: BudgetName): number {
  return budget === 'key' ? settings.requestsPerMinute : settings.publicRequestsPerMinute
}

/**
 * Returns the floor below which a 429 does not reduce the budget, because the limit can be learned again only from requests: 10
 * of 60.
 */
export function limitFloor(configured: number): number {
  return Math.min(configured, Math.max(1, Math.floor(configured / 6)))
}
