import { DAY_MS, HOUR_MS, MINUTE_MS, type Ms } from '../base/time.ts'
import { isSurelyWithinBps } from '../money/filtered.ts'
import { type Rate, rateToNumber } from '../money/rate.ts'
import type { MidSpan } from './market-state.ts'

/** How long a span of mids is. */
export const SPAN_MS = 5 * MINUTE_MS

/**
 * The lowest and the highest mid in force within a window, and perhaps of the hour before it: spans that leave the window
 * are kept until it is looked through again. A mid that is near enough to both is near enough to every mid of the window.
 */
type Reach = {
  min: Rate
  max: Rate
  /** The same as doubles. */
  lowest: number
  highest: number
  /** The latest span that it holds; those before the latest one do not change any more. */
  last: MidSpan
  lookedAt: Ms
}

/** A window of movement, with what is known of it for each list of spans: derived from the spans, and no part of a state. */
export type Window = { readonly ms: Ms; readonly reaches: WeakMap<readonly MidSpan[], Reach> }

export const HOUR: Window = { ms: HOUR_MS, reaches: new WeakMap() }
export const DAY: Window = { ms: DAY_MS, reaches: new WeakMap() }

/** Whether `mid` is for certain within `limitBps` of every mid of the window; false = the spans have to be looked at. */
export function isSurelyWithinWindow(
  window: Window,
  spans: readonly MidSpan[],
  mid: number,
  limitBps: number,
  now: Ms,
): boolean {
  const last = spans.at(-1)
  if (last === undefined) return false
  const { lowest, highest } = reachOf(window, spans, last, now)
  return isSurelyWithinBps(lowest, mid, limitBps) && isSurelyWithinBps(highest, mid, limitBps)
}

/**
 * The lowest and the highest mid of the window, `mid` included. A span that reaches into the window counts whole: the
 * window is up to five minutes longer, never shorter.
 */
export function extremesWithin(
  { ms }: Window,
  spans: readonly MidSpan[],
  mid: Rate,
  now: Ms,
): { readonly min: Rate; readonly max: Rate } {
  let [min, max] = [mid, mid]
  for (const span of spans) {
    if (span.at + SPAN_MS <= now - ms) continue
    if (span.min < min) min = span.min
    if (span.max > max) max = span.max
  }
  return { min, max }
}

function reachOf(window: Window, spans: readonly MidSpan[], last: MidSpan, now: Ms): Reach {
  const known = window.reaches.get(spans)
  const isNext = known !== undefined && (known.last === last || known.last === spans.at(-2))
  if (!isNext || now - known.lookedAt > HOUR_MS || now < known.lookedAt) {
    const { min, max } = extremesWithin(window, spans, last.min, now)
    const reach: Reach = {
      min,
      max,
      lowest: rateToNumber(min),
      highest: rateToNumber(max),
      last,
      lookedAt: now,
    }
    widen(reach, last)
    window.reaches.set(spans, reach)
    return reach
  }
  if (known.last !== last) {
    widen(known, known.last)
    known.last = last
  }
  widen(known, last)
  return known
}

function widen(reach: Reach, { min, max }: MidSpan): void {
  if (min < reach.min) {
    reach.min = min
    reach.lowest = rateToNumber(min)
  }
  if (max > reach.max) {
    reach.max = max
    reach.highest = rateToNumber(max)
  }
}
