import type { Ms } from '../../base/time.ts'

/**
 * The venue counts arrivals in 60 s; we count departures. The extra second prevents a delayed request (journal, network) from
 * arriving within the same minute as later ones.
 */
export const WINDOW_MS: Ms = 61_000

/** Times of recent requests, ascending from `head`. Entries before `head` are dropped in bulk. */
export type SentWindow = { times: number[]; head: number }

/** Records a request. Times never go back: an earlier `now` counts as the latest known time. */
export function rememberRequest(window: SentWindow, now: Ms): void {
  const { times } = window
  const last = times.at(-1)
  times.push(last !== undefined && last > now ? last : now)
  while (window.head < times.length && times[window.head]! <= now - WINDOW_MS) window.head++
  if (window.head >= 64 && window.head * 2 >= times.length) {
    times.splice(0, window.head)
    window.head = 0
  }
}

/** Returns the number of requests inside the window at `now`. Does not change the window. */
export function countSent(window: SentWindow, now: Ms): number {
  return window.times.length - firstInside(window, now)
}

/** Returns when at most `room` requests are left inside the window; `now` if that is already the case. `room` >= 0. */
export function timeWhenAtMost(window: SentWindow, now: Ms, room: number): Ms {
  const mustLeave = countSent(window, now) - room
  if (mustLeave <= 0) return now
  return window.times[firstInside(window, now) + mustLeave - 1]! + WINDOW_MS
}

function firstInside(window: SentWindow, now: Ms): number {
  const { times } = window
  let first = window.head
  while (first < times.length && times[first]! <= now - WINDOW_MS) first++
  return first
}
