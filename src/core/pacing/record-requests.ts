import { backoffMs } from '../../base/backoff.ts'
import { seededRandom } from '../../base/random.ts'
import { MINUTE_MS, type Ms, SECOND_MS } from '../../base/time.ts'
import { type BudgetName, configuredLimit, effectiveLimit, limitFloor } from './budget.ts'
import { pollInterval } from './poll-schedule.ts'
import { rememberRequest } from './request-window.ts'
import { isPublicPoll, type PacingSettings, type PacingState, type PollKind } from './state.ts'

/** The kind of an outgoing request: a poll, a write for the strategy's quote, or a write for safety or an operator. */
export type SentKind = PollKind | 'quoteWrite' | 'safetyWrite'

const FIRST_BACK_OFF_MS: Ms = SECOND_MS
const MAX_BACK_OFF_MS: Ms = 30 * SECOND_MS
const MIN_BLOCK_MS: Ms = SECOND_MS
const DEFAULT_BLOCK_MS: Ms = 10 * SECOND_MS
/** Longest delay of a safety write, regardless of the venue's answers. */
const MAX_BLOCK_MS: Ms = 5 * MINUTE_MS
const SHRINK = 0.8

/** Records a sent request, which counts from now on regardless of its outcome. */
export function recordSent(state: PacingState, now: Ms, kind: SentKind): void {
  if (kind === 'quoteWrite' || kind === 'safetyWrite') {
    rememberRequest(state.key.sent, now)
    rememberRequest(state.onDemand, now)
    if (kind === 'quoteWrite') rememberRequest(state.quoteWrites, now)
    return
  }
  const poll = state.polls[kind]
  if (isPublicPoll(kind)) rememberRequest(state.public.sent, now)
  else {
    rememberRequest(state.key.sent, now)
    if (poll.expedited) rememberRequest(state.onDemand, now)
  }
  poll.expedited = false
  poll.lastSentAt = now
  poll.inFlightSince = now
}

/** Requests that other programs sent with our limits, at these times: the venue counts them as ours. */
export function recordElsewhere(state: PacingState, now: Ms, times: readonly Ms[], budget: BudgetName): void {
  for (const time of times) {
    const t = Math.min(time, now)
    rememberRequest(state[budget].sent, t)
    if (budget === 'key') rememberRequest(state.onDemand, t)
  }
}

/**
 * Records an answered poll. The next one is due one interval after this one was SENT, so a slow venue is not polled less often.
 * `newFills`: rows that no earlier poll had returned.
 */
export function recordAnswered(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  kind: PollKind,
  answer: { readonly newFills?: number } = {},
): void {
  const poll = state.polls[kind]
  const sentAt = poll.inFlightSince ?? now
  poll.inFlightSince = null
  poll.failures = 0
  poll.backOffUntil = 0
  if (kind === 'fills') learnFillRate(state, sentAt, answer.newFills ?? 0)
  poll.dueAt = sentAt + pollInterval(state, settings, now, kind)
}

/** A rise counts by at least half at once, and decays over about a minute. */
function learnFillRate(state: PacingState, sentAt: Ms, newFills: number): void {
  const { asOf, perMs } = state.fills
  state.fills.asOf = sentAt
  if (asOf === null || sentAt <= asOf) return
  const elapsed = sentAt - asOf
  const seen = newFills / elapsed
  const weight =
    seen > perMs ? Math.max(0.5, elapsed / (elapsed + MINUTE_MS)) : elapsed / (elapsed + MINUTE_MS)
  state.fills.perMs = perMs + weight * (seen - perMs)
}

/**
 * Records a failed poll or a lost answer. It backs off 1, 2, 4 ... 30 s, with jitter between half and all of it, so polls (and
 * positions with different seeds) do not retry in step. After a 429 call `recordRateLimited` as well.
 */
export function recordFailed(state: PacingState, now: Ms, kind: PollKind): void {
  const poll = state.polls[kind]
  const full = backoffMs(poll.failures + 1, FIRST_BACK_OFF_MS, MAX_BACK_OFF_MS)
  const share = 0.5 + 0.5 * seededRandom(state.jitterCounter, `back-off ${kind}`)()
  state.jitterCounter = (state.jitterCounter + 1) % 0x7fffffff
  poll.inFlightSince = null
  poll.failures++
  poll.dueAt = now
  poll.backOffUntil = now + Math.ceil(full * share)
}

/**
 * Records a 429. The budget is blocked until the answer's Retry-After (10 s without one, 1 s to 5 min), and its limit falls by
 * a fifth; it then regrows by one for every 10 seconds without a 429. Several 429s in one burst count once.
 */
export function recordRateLimited(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  retryAfterMs: Ms | null,
  name: BudgetName = 'key',
): void {
  const budget = state[name]
  const wanted = retryAfterMs !== null && retryAfterMs >= 0 ? retryAfterMs : DEFAULT_BLOCK_MS
  const blockMs = Math.min(MAX_BLOCK_MS, Math.max(MIN_BLOCK_MS, wanted))
  if (now >= budget.blockedUntil) {
    const configured = configuredLimit(settings, name)
    const shrunken = Math.floor(effectiveLimit(state, settings, now, name) * SHRINK)
    budget.limit = Math.max(limitFloor(configured), shrunken)
  }
  budget.blockedUntil = Math.max(budget.blockedUntil, now + blockMs)
  budget.limitAt = budget.blockedUntil
}
