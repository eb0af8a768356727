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
 * What the guard knows of the minute in which the venue counts the key's requests. It does not know what the daemon has
 * sent: that shows in the venue's answers, which refuse a request with the time to wait, or state what is left.
 */
export type VenueWindow = {
  /** Requests of the guard. */
  readonly sent: SentWindow
  /** The venue has asked for silence until then. */
  blockedUntil: Ms
  /** What the latest answer states to be left, less what has left since, and until when that holds; null = nothing is stated. */
  left: { count: number; readonly until: Ms } | null
}

/** The guard's share of the key's requests while the daemon lives. */
const SHARE_PER_MINUTE = 10
/** Reads leave this many requests to writes: a quote that cannot be read is better than one that cannot be set. */
const KEPT_FOR_WRITES = 3
/** After a refusal that states no time. */
const SILENCE_MS: Ms = 6 * SECOND_MS

export function emptyWindow(): VenueWindow {
  return { sent: { times: [], head: 0 }, blockedUntil: Number.NEGATIVE_INFINITY, left: null }
}

/** A request of the guard leaves. */
export function requestLeaves(window: VenueWindow, now: Ms): void {
  rememberRequest(window.sent, now)
  if (window.left !== null) window.left.count -= 1
}

/** The venue has answered: a refusal by its limit is waited out, but never for longer than its minute takes. */
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

/** While the daemon lives: whether so many reads fit into the guard's share. */
export function mayWatch(window: VenueWindow, now: Ms, reads: number): boolean {
  return (
    isOpen(window, now, reads + KEPT_FOR_WRITES) && countSent(window.sent, now) + reads <= SHARE_PER_MINUTE
  )
}

/** Once the guard has fired it has the whole of `perMinute`, as far as the venue still takes requests. */
export function mayActAtVenue(
  window: VenueWindow,
  now: Ms,
  kind: 'write' | 'read',
  perMinute: number,
): boolean {
  // Of a small budget a quarter is kept: reads must not wait indefinitely.
  const needed = kind === 'write' ? 1 : 1 + Math.min(KEPT_FOR_WRITES, Math.floor(perMinute / 4))
  return isOpen(window, now, needed) && countSent(window.sent, now) + needed <= perMinute
}

function isOpen({ blockedUntil, left }: VenueWindow, now: Ms, needed: number): boolean {
  return now >= blockedUntil && (left === null || now >= left.until || left.count >= needed)
}

/** The two headers by which servers state it; a reset that is no number of seconds holds for a minute. */
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
