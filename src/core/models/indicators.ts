import { DAY_MS, type Ms } from '../../base/time.ts'

/*
 * Indicators of a strategy over irregular times. Each takes the indicator before an observation (null = the first) and returns the
 * one after it: plain data for the state of a strategy. A value holds from its observation to the next one, so that more observations of
 * an unchanged value change no result. Half-lives are in ms.
 */

/** The last observation: its value holds until the next one. */
type Observed = { readonly at: Ms; readonly last: number }

/** `value`: the mean of the values before `at`, weighted by how long and how recently each was in force. */
export type Ema = Observed & { readonly value: number }

/** Returns the exponential moving average, which a new value moves half of the way within a half-life. */
export function ema(before: Ema | null, at: Ms, value: number, halfLifeMs: Ms): Ema {
  if (before === null) return { at, last: value, value }
  const gone = forgottenShare(before, at, halfLifeMs)
  return { at, last: value, value: before.value + (before.last - before.value) * gone }
}

export type RealisedVolatility = Observed & {
  /** Decayed sum of squared log returns, bps^2. */
  readonly squares: number
  /** Decayed length of the observed time, days. */
  readonly days: number
  /** In bps per square root of a day; null until time has passed. */
  readonly bpsPerSqrtDay: number | null
}

/** Returns the realised volatility of a price around zero, from its squared log returns over the time in which they came. */
export function realisedVolatility(
  before: RealisedVolatility | null,
  at: Ms,
  price: number,
  halfLifeMs: Ms,
): RealisedVolatility {
  if (before === null) return { at, last: price, squares: 0, days: 0, bpsPerSqrtDay: null }
  const gone = forgottenShare(before, at, halfLifeMs)
  const squares = before.squares * (1 - gone) + (1e4 * Math.log(price / before.last)) ** 2
  // The integral of the weight 0.5^(age / half-life) over the time since the last observation.
  const days = before.days * (1 - gone) + (gone * halfLifeMs) / Math.LN2 / DAY_MS
  return { at, last: price, squares, days, bpsPerSqrtDay: days > 0 ? Math.sqrt(squares / days) : null }
}

export type ZScore = Observed & {
  readonly mean: number
  readonly variance: number
  /** Share of the total weight that the observed time has, 0 to 1: a half after one half-life. */
  readonly weight: number
  /** Standard deviations of the value above the mean of the time before it; null = no deviation yet. */
  readonly score: number | null
}

/** Returns the z-score of a value against an exponentially weighted mean and variance (Welford's recurrence with weights, West 1979). */
export function zScore(before: ZScore | null, at: Ms, value: number, halfLifeMs: Ms): ZScore {
  if (before === null) return { at, last: value, mean: value, variance: 0, weight: 0, score: null }
  const gone = forgottenShare(before, at, halfLifeMs)
  const weight = before.weight * (1 - gone) + gone
  const share = weight > 0 ? gone / weight : 0
  const step = before.last - before.mean
  const mean = before.mean + share * step
  const variance = (1 - share) * (before.variance + share * step ** 2)
  return {
    at,
    last: value,
    mean,
    variance,
    weight,
    score: variance > 0 ? (value - mean) / Math.sqrt(variance) : null,
  }
}

/** Mean and number of the observations in each of the equal slots of a day. */
export type DayProfile = { readonly counts: readonly number[]; readonly means: readonly number[] }

const DAY_MINUTES = 1_440

/**
 * Returns the time-of-day profile with one observation more, for example the dollars of an hour. `minute`: of the day, from `localTime`.
 * `slots`: parts of the day, fixed by the first observation.
 */
export function dayProfile(before: DayProfile | null, minute: number, value: number, slots = 24): DayProfile {
  const { counts, means } = before ?? {
    counts: Array.from({ length: slots }, () => 0),
    means: Array.from({ length: slots }, () => 0),
  }
  const slot = slotOf(counts.length, minute)
  const count = counts[slot]! + 1
  const mean = means[slot]! + (value - means[slot]!) / count
  return { counts: counts.with(slot, count), means: means.with(slot, mean) }
}

/**
 * Returns the mean of the slot that holds a minute of the day, its number of observations, and its ratio to the mean over all
 * observed slots; null = nothing was observed in it. The ratio is null if that mean is 0.
 */
export function readDayProfile(
  { counts, means }: DayProfile,
  minute: number,
): { readonly mean: number; readonly count: number; readonly ratio: number | null } | null {
  const slot = slotOf(counts.length, minute)
  const [mean, count] = [means[slot]!, counts[slot]!]
  if (count === 0) return null
  const observed = means.filter((_, index) => counts[index]! > 0)
  const overall = observed.reduce((sum, one) => sum + one, 0) / observed.length
  return { mean, count, ratio: overall === 0 ? null : mean / overall }
}

function slotOf(slots: number, minute: number): number {
  if (!(slots >= 1 && minute >= 0 && minute < DAY_MINUTES))
    throw new RangeError(
      `dayProfile: minute ${minute} of ${slots} slots; 0 to 1439 and at least one slot were expected`,
    )
  return Math.floor((minute * slots) / DAY_MINUTES)
}

/** Returns the share of its weight that the past loses until `at`; `expm1` keeps the digits of a small one. */
function forgottenShare({ at: before }: Observed, at: Ms, halfLifeMs: Ms): number {
  if (!(halfLifeMs > 0)) throw new RangeError(`a half-life of ${halfLifeMs} ms; more than 0 was expected`)
  return -Math.expm1((-Math.LN2 * Math.max(0, at - before)) / halfLifeMs)
}
