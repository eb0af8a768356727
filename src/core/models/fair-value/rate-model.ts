import { addNoise, type JointEstimate, replaceBySum, shrink } from './joint-estimate.ts'

/** The dynamics of the true rate, and how the venue's mid follows it. */
export type RateModel = {
  /** Volatility of the true rate, bps per square root of a working day, > 0. */
  readonly sigmaBps: number
  /** Standard deviation of its drift, bps per working day, >= 0, and how fast the drift decays. */
  readonly driftSdBpsPerDay: number
  readonly driftHalfLifeDays: number
  /** Share of the distance to the previous working day's mean that an update of the mid closes, > 0, <= 1. */
  readonly followShare: number
  /** Standard deviation of the noise that rounding and composition add to each update, bps, >= 0. */
  readonly publicationNoiseBps: number
  /** Movement of a weekend day as a share of a working day's, 0..1. */
  readonly weekendMovement: number
}

/** The error of a feed's readings; readings close in time share most of it. */
export type FeedError = {
  /** Standard deviation, bps, >= 0. */
  readonly errorBps: number
  /** Half-life of an error in days. */
  readonly errorHalfLifeDays: number
}

/** The venue's behaviour in market.md, scenario `normal`. */
export const DEFAULT_RATE_MODEL: RateModel = {
  sigmaBps: 21,
  driftSdBpsPerDay: 5,
  driftHalfLifeDays: 10,
  followShare: 0.65,
  publicationNoiseBps: 7,
  weekendMovement: 0,
}

export const DEFAULT_FEED_ERROR: FeedError = { errorBps: 25, errorHalfLifeDays: 0.25 }

/** Returns the error of a feed by its name, own properties only. */
export function errorOf(feeds: Readonly<Record<string, FeedError>>, name: string): FeedError {
  return Object.hasOwn(feeds, name) ? feeds[name]! : DEFAULT_FEED_ERROR
}

/** Places in the joint estimate; the errors of feeds follow them. */
export const RATE = 0
export const DRIFT = 1
/** Integral of the rate over the working day so far, bps * days. */
const DAY_SO_FAR = 2
/** Mean of the working day before. */
const DAY_BEFORE = 3
/** The level that the mid follows, before noise. */
export const LEVEL = 4
export const FIRST_FEED = 5

const LN2 = Math.LN2
/**
 * Gauss-Legendre on [0, 1], four points: accurate for the noise that the drift adds in a day at any half-life from a quarter of
 * a day.
 */
const NODES = [0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970263]
const WEIGHTS = [0.17392742256872692, 0.32607257743127305, 0.32607257743127305, 0.17392742256872692]
const MOVED = [DRIFT, RATE, DAY_SO_FAR]

/**
 * Advances the estimate by `days`, at most the rest of the day. The true rate is a random walk whose drift is an
 * Ornstein-Uhlenbeck process around 0; the running integral counts on working days only. The added noise is an integral of
 * positive semidefinite terms, so the covariance remains valid.
 */
export function passWithinDay(
  estimate: JointEstimate,
  model: RateModel,
  feeds: readonly FeedError[],
  days: number,
  isWorkingDay: boolean,
): void {
  if (days <= 0) return
  const { driftHalfLifeDays, weekendMovement } = model
  const pace = isWorkingDay ? 1 : weekendMovement
  const counted = isWorkingDay ? 1 : 0
  const theta = LN2 / driftHalfLifeDays
  const [kept, once, twice] = driftResponse(theta, days)
  // In the order integral, rate, drift: each uses the old values of those after it.
  replaceBySum(estimate, DAY_SO_FAR, [
    [DAY_SO_FAR, 1],
    [RATE, counted * days],
    [DRIFT, counted * pace * twice],
  ])
  replaceBySum(estimate, RATE, [
    [RATE, 1],
    [DRIFT, pace * once],
  ])
  shrink(estimate, DRIFT, kept)
  addNoise(estimate, MOVED, noiseOf(model, theta, days, pace, counted))
  for (const [index, { errorBps, errorHalfLifeDays }] of feeds.entries()) {
    const share = Math.exp((-LN2 * days) / errorHalfLifeDays)
    const place = FIRST_FEED + index
    shrink(estimate, place, share)
    const fresh = -Math.expm1((-2 * LN2 * days) / errorHalfLifeDays)
    addNoise(estimate, [place], [errorBps * errorBps * fresh])
  }
}

/**
 * Returns the covariance added to drift, rate and integral within `days`: the random walk in closed form, the drift's noise as
 * a sum of squares, which remains a covariance despite rounding.
 */
function noiseOf(
  { sigmaBps, driftSdBpsPerDay }: RateModel,
  theta: number,
  days: number,
  pace: number,
  counted: number,
): readonly number[] {
  const walk = sigmaBps * sigmaBps * pace * days
  const shared = (walk * counted * days) / 2
  const noise = [0, 0, 0, 0, walk, shared, 0, shared, (walk * counted * days * days) / 3]
  const wander = 2 * theta * driftSdBpsPerDay * driftSdBpsPerDay * days
  for (let node = 0; node < NODES.length; node++) {
    const [drift, once, twice] = driftResponse(theta, NODES[node]! * days)
    const moves = [drift, pace * once, counted * pace * twice]
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 3; column++)
        noise[3 * row + column]! += wander * WEIGHTS[node]! * (moves[row]! * moves[column]!)
  }
  return noise
}

/** Returns a drift of 1 after `days`, the movement of the rate that it caused, and the amount that this added to the integral. */
function driftResponse(theta: number, days: number): readonly [number, number, number] {
  const x = theta * days
  const once = x === 0 ? days : (days * -Math.expm1(-x)) / x
  // (x - 1 + exp(-x)) / x^2 loses precision near 0, so the series is used there.
  const shape = x < 0.01 ? 0.5 - x / 6 + (x * x) / 24 - (x * x * x) / 120 : (x + Math.expm1(-x)) / (x * x)
  return [Math.exp(-x), once, days * days * shape]
}

/** Ends a working day: its mean is the value that the next update describes. */
export function endWorkingDay(estimate: JointEstimate): void {
  replaceBySum(estimate, DAY_BEFORE, [[DAY_SO_FAR, 1]])
  replaceBySum(estimate, DAY_SO_FAR, [])
}

/** Applies a publication: the level moves a share of the way to the previous working day's mean. */
export function followDayBefore(estimate: JointEstimate, { followShare }: RateModel): void {
  replaceBySum(estimate, LEVEL, [
    [LEVEL, 1 - followShare],
    [DAY_BEFORE, followShare],
  ])
}
