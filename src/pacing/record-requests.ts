import { MINUTE_MS, type Ms, SECOND_MS } from '../base/time.ts'
import { isPublicPoll, type PacingSettings, type PacingState, type PollKind } from './state.ts'
import { rememberSent } from './request-window.ts'
import { pollInterval } from './poll-schedule.ts'
import { backoffMs } from '../base/backoff.ts'
import { seededRandom } from '../base/random.ts'
import { configuredLimit, effectiveLimit, limitFloor, type BudgetName } from './budget.ts'

/** What leaves: a poll, a spread that the strategy wants, or a write that safety or an operator wants. */
export type SentKind = PollKind | 'quoteWrite' | 'safetyWrite'

/** A request leaves: it counts from now on, whatever becomes of it. */
export function recordSent(state: PacingState, now: Ms, kind: SentKind): void {
  if (kind === 'quoteWrite' || kind === 'safetyWrite') {
    rememberSent(state.key.sent, now)
    rememberSent(state.unplanned, now)
    if (kind === 'quoteWrite') rememberSent(state.quoteWrites, now)
    return
  }
  const poll = state.polls[kind]
  if (isPublicPoll(kind)) rememberSent(state.public.sent, now)
  else {
    rememberSent(state.key.sent, now)
    if (poll.demanded) rememberSent(state.unplanned, now)
  }
  poll.demanded = false
  poll.lastSentAt = now
  poll.inFlightSince = now
}

/**
 * A poll was answered. The next one is due an interval after this one LEFT, so that a slow venue is not
 * asked less often. `newFills`: rows that no earlier poll had shown.
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

/** Believes a rise at half its weight at once, and forgets it over about a minute. */
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

const FIRST_BACK_OFF_MS: Ms = SECOND_MS
const MAX_BACK_OFF_MS: Ms = 30 * SECOND_MS

/**
 * A poll failed or its answer was lost. It backs off 1, 2, 4 ... 30 s, each time between half and all of
 * it, so that polls (and positions of different seeds) do not come back in step. After a 429 call
 * `noteRateLimited` as well.
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
export function recordRateLimited(
  state: PacingState,
  settings: PacingSettings,
  now: Ms,
  retryAfterMs: Ms | null,
  laneName: BudgetName = 'key',
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
