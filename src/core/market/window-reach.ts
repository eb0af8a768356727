import { DAY_MS, HOUR_MS, MINUTE_MS, type Ms } from '../../base/time.ts'
import type { Rate, RateBand } from '../../base/money/rate.ts'
import type { MarketState, MidSpan } from './market-state.ts'

/** The bounds beyond which an operator or a second source must confirm a mid. A null bound is off. */
export type MidBounds = {
  /** A mid outside this corridor cannot be accepted while the daemon runs. */
  readonly corridor: RateBand | null
  /** Largest step from the mid in force. */
  readonly maxStepBps: number | null
  /** Against every mid that was in force within the last hour, and the last 24 hours. */
  readonly maxMoveBpsPerHour: number | null
  readonly maxMoveBpsPerDay: number | null
  /** The clock that the venue's dates are compared with: `virtual` excludes our own; null = no comparison. */
  readonly clock: 'real' | 'virtual' | null
}

/** The mid in force and earlier ones, of the market or of one pair. */
export type MidHistory = Pick<MarketState, 'mid' | 'spans'>

/** Length of a span of mids. */
export const SPAN_MS = 5 * MINUTE_MS

/**
 * A band of rates that break no bound in any order of arrival from then on: each is within the corridor and within the limits
 * of every earlier mid in force and of every other rate in the band. Later, mids only leave the windows.
 */
type Reach = { readonly band: RateBand; readonly bounds: MidBounds; readonly since: Ms }

/** Derived from the spans, and not part of the state. */
const reaches = new WeakMap<readonly MidSpan[], Reach>()

/** Returns whether the mid is certainly within all bounds; false = each bound must be checked. */
export function isWithinReach(market: MidHistory, mid: Rate, bounds: MidBounds, now: Ms): boolean {
  const { spans } = market
  if (spans === undefined || market.mid === null) return false
  const known = reaches.get(spans)
  if (known !== undefined && known.bounds === bounds && now >= known.since) {
    if (mid >= known.band.min && mid <= known.band.max) return true
  }
  const band = bandAround(mid, { inForce: market.mid, spans, bounds, now })
  if (band === null) return false
  reaches.set(spans, { band, bounds, since: now })
  return true
}

/** Returns the band around the mid in force in which no mid breaks a bound, in any order and at any later time; null = none is known. */
export function bandWithinReach(market: MidHistory, mid: Rate, bounds: MidBounds, now: Ms): RateBand | null {
  const { spans } = market
  if (spans === undefined || !isWithinReach(market, mid, bounds, now)) return null
  return reaches.get(spans)?.band ?? null
}

/** Discards the reach if it does not include the mid in force. */
export function leaveReach(spans: readonly MidSpan[], mid: Rate): void {
  const known = reaches.get(spans)
  if (known !== undefined && (mid < known.band.min || mid > known.band.max)) reaches.delete(spans)
}

/**
 * Returns the lowest and the highest mid of the window, `mid` included. A span that overlaps the window counts in full, so the
 * window may be up to five minutes longer, but never shorter.
 */
export function extremesWithin(window: Ms, spans: readonly MidSpan[], mid: Rate, now: Ms): RateBand {
  let [min, max] = [mid, mid]
  for (const span of spans) {
    if (span.at + SPAN_MS <= now - window) continue
    if (span.min < min) min = span.min
    if (span.max > max) max = span.max
  }
  return { min, max }
}

type Judged = {
  readonly inForce: Rate
  readonly spans: readonly MidSpan[]
  readonly bounds: MidBounds
  readonly now: Ms
}

/** Hundredths of a bp in one whole. */
const WHOLE = 1_000_000n

/**
 * Returns the band around a mid; null if the mid itself is outside a bound. With the tightest limit of movement L the band
 * reaches L / (2 + L) of the mid to both sides, so its width is L times its lowest rate and any two of its rates are within
 * every limit of each other. A limit l against mids from a to b allows rates of at most a (1 + l) and at least b (1 - l).
 */
function bandAround(mid: Rate, { inForce, spans, bounds, now }: Judged): RateBand | null {
  const { corridor, maxStepBps, maxMoveBpsPerHour, maxMoveBpsPerDay } = bounds
  const tightest = Math.min(
    maxStepBps ?? Infinity,
    maxMoveBpsPerHour ?? Infinity,
    maxMoveBpsPerDay ?? Infinity,
  )
  const parts = partsOf(tightest)
  const half = (mid * parts) / (2n * WHOLE + parts)
  let band: RateBand = { min: mid - half, max: mid + half }
  if (corridor !== null) band = common(band, corridor)
  if (maxStepBps !== null) band = common(band, within(maxStepBps, { min: inForce, max: inForce }))
  if (maxMoveBpsPerHour !== null)
    band = common(band, within(maxMoveBpsPerHour, extremesWithin(HOUR_MS, spans, inForce, now)))
  if (maxMoveBpsPerDay !== null)
    band = common(band, within(maxMoveBpsPerDay, extremesWithin(DAY_MS, spans, inForce, now)))
  return mid >= band.min && mid <= band.max ? band : null
}

/** Returns the rates within a limit of every rate from `min` to `max`. */
function within(limitBps: number, { min, max }: RateBand): RateBand {
  const parts = partsOf(limitBps)
  // Round the lower end up, so it is never too low.
  return { min: max - (max * parts) / WHOLE, max: min + (min * parts) / WHOLE }
}

/** Whole hundredths of a bp, at most 100 % of a rate. */
function partsOf(limitBps: number): bigint {
  return BigInt(Math.floor(Math.min(limitBps, 10_000) * 100))
}

function common(one: RateBand, other: RateBand): RateBand {
  return { min: one.min > other.min ? one.min : other.min, max: one.max < other.max ? one.max : other.max }
}
