import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import { headerOf, retryAfterOf } from '../../../base/http/answer.ts'
import {
  countSent,
  rememberRequest,
  type SentWindow,
  WINDOW_MS,
} from '../../../core/pacing/request-window.ts'
import type { LinkAnswer } from '../link.ts'

/**
 * The guard's estimate of the venue's rate-limit window for the key. The guard does not see the daemon's requests; only the venue's answers
 * reveal them, by a refusal with a wait or by the remaining count.
 */
export type VenueWindow = {
  /** The guard's own requests. */
  readonly sent: SentWindow
  /** The venue asked for no requests before this time. */
  blockedUntil: Ms
  /**
   * The remaining requests that the latest answer stated, less those sent since, and until when the number is valid; null = the answer
   * stated none.
   */
  left: { count: number; readonly until: Ms } | null
}

/** The guard's share of the key's requests while the daemon lives. */
const SHARE_PER_MINUTE = 10
/** Reads leave this many requests for writes: setting the quote matters more than reading it. */
const KEPT_FOR_WRITES = 3
/** The wait after a refusal that states none. */
const SILENCE_MS: Ms = 6 * SECOND_MS

export function emptyWindow(): VenueWindow {
  return { sent: { times: [], head: 0 }, blockedUntil: Number.NEGATIVE_INFINITY, left: null }
}

/** Counts a request that the guard is sending. */
export function requestLeaves(window: VenueWindow, now: Ms): void {
  rememberRequest(window.sent, now)
  if (window.left !== null) window.left.count -= 1
}

/** Processes an answer of the venue: a rate-limit refusal is waited out, but never longer than the venue's window. */
export function answerCame(
  window: VenueWindow,
  { status, headers }: Pick<LinkAnswer, 'status' | 'headers'>,
  { now, wall }: { readonly now: Ms; readonly wall: Ms },
): void {
  window.left = leftOf(headers, now) ?? window.left
  if (status !== 429) return
  const askedMs = retryAfterOf(headers, wall) ?? SILENCE_MS
  window.blockedUntil = now + Math.min(WINDOW_MS, Math.max(SECOND_MS, askedMs))
}

/** While the daemon is alive: whether this many reads fit into the guard's share. */
export function mayWatch(window: VenueWindow, now: Ms, reads: number): boolean {
  return (
    isOpen(window, now, reads + KEPT_FOR_WRITES) && countSent(window.sent, now) + reads <= SHARE_PER_MINUTE
  )
}

/** Once the guard has fired it may use the full `perMinute`, as long as the venue still accepts requests. */
export function mayActAtVenue(
  window: VenueWindow,
  now: Ms,
  kind: 'write' | 'read',
  perMinute: number,
): boolean {
  // With a small budget, keep only a quarter of it: reads must not wait indefinitely.
  const needed = kind === 'write' ? 1 : 1 + Math.min(KEPT_FOR_WRITES, Math.floor(perMinute / 4))
  return isOpen(window, now, needed) && countSent(window.sent, now) + needed <= perMinute
}

function isOpen({ blockedUntil, left }: VenueWindow, now: Ms, needed: number): boolean {
  return now >= blockedUntil && (left === null || now >= left.until || left.count >= needed)
}

/** Reads the two common rate-limit headers. If the reset is not a number of seconds, the count is valid for a minute. */
function leftOf(headers: LinkAnswer['headers'], now: Ms): VenueWindow['left'] {
  for (const prefix of ['ratelimit', 'x-ratelimit']) {
    const count = countOf(headerOf(headers, `${prefix}-remaining`))
    if (count === null) continue
    const seconds = countOf(headerOf(headers, `${prefix}-reset`))
    const resetMs = seconds === null ? MINUTE_MS : seconds * SECOND_MS
    return { count, until: now + Math.min(MINUTE_MS, resetMs) }
  }
  return null
}

function countOf(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null
}
