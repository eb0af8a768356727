import { addNoise, type JointEstimate, knownZeros, observe, replaceBySum, shrink } from './joint-estimate.ts'
import type { FeedError, RateModel } from './rate-model.ts'

/** A day: the figure of its update, and the mean of the feed's readings, log bps; null = missing. */
export type JudgedDay = {
  readonly day: number
  readonly published: number | null
  readonly mean: number | null
}

/** One combination of parameters: the estimate under it, and the log of its weight. */
export type FeedHypothesis = {
  readonly model: RateModel
  readonly error: FeedError
  /** How old the rate is that the feed shows. */
  readonly delayDays: number
  readonly joint: JointEstimate
  logWeight: number
}

/** The hypotheses about a feed after the days so far. */
export type FeedHypotheses = {
  readonly ofFeed: readonly FeedHypothesis[]
  /** The same models of the mid without the feed. */
  readonly ofNone: readonly FeedHypothesis[]
  /** The last day; null = none yet. */
  last: JudgedDay | null
  /** Updates that followed a day with readings. */
  updates: number
  /** Log evidence that the feed predicts updates better than none; older updates decay. */
  gain: number
}

/** Places in the joint estimate: means of the last three days, and, as constant as possible, the offset. */
const RATE = 0
const DAY_BEFORE = 1
const TWO_BEFORE = 2
const DRIFT = 3
const LEVEL = 4
const ERROR = 5
const OFFSET = 6
const SIZE = 7

/** Prior standard deviation of an offset, and its movement per square root of a day, bps. */
export const OFFSET_SD_BPS = 60
const OFFSET_MOVES_BPS = 1
/** Factors on the configured figures with prior weights, and delays. */
const FOLLOWING = { odds: [0.29, 1, 3], prior: [0.3, 0.5, 0.2] }
const MOVING = { sigma: [1, 1.4, 1.4], drift: [1, 4, 4], noise: [1, 1, 2.4], prior: [0.5, 0.2, 0.3] }
const ERRORS = { size: [0.4, 1, 2.5], prior: [0.25, 0.5, 0.25] }
const HALF_LIVES = { length: [1, 4, 16], prior: [0.4, 0.3, 0.3] }
const DELAYS = { days: [0, 1, 2], prior: [0.8, 0.12, 0.08] }
/** Variance of a figure within the step of its grid, of logarithms but for the delay. A figure beyond the grid shows as its end. */
export const WITHIN_STEP = {
  error: Math.log(2.5) ** 2 / 12,
  halfLife: Math.log(4) ** 2 / 12,
  delay: 1 / 12,
}
/** Noise of a day's mean that is read during a part of the day, as a share of the movement in a day. */
const PART_OF_DAY = 0.3
/** The share of `gain` that the next update leaves. */
const KEPT = 0.93
/** Priors multiply figures above 0 only. */
const LEAST_ERROR_BPS = 1
const MOST_FOLLOW_SHARE = 0.97

/** Returns the hypotheses around the configured figures. `levelBps`: of the mid before the first day. */
export function startHypotheses(model: RateModel, stated: FeedError, levelBps: number): FeedHypotheses {
  const begin = (
    [of, prior]: readonly [RateModel, number],
    [error, delayDays, own]: readonly [FeedError, number, number],
  ): FeedHypothesis => ({
    model: of,
    error,
    delayDays,
    joint: stationary(of, error, levelBps),
    logWeight: Math.log(prior * own),
  })
  const models = modelsAround(model)
  const errors = errorsAround(stated)
  return {
    ofFeed: models.flatMap((of) => errors.map((error) => begin(of, error))),
    ofNone: models.map((of) => begin(of, [stated, 0, 1])),
    last: null,
    updates: 0,
    gain: 0,
  }
}

function modelsAround(model: RateModel): readonly (readonly [RateModel, number])[] {
  const share = Math.min(MOST_FOLLOW_SHARE, model.followShare)
  return FOLLOWING.odds.flatMap((factor, at) =>
    MOVING.prior.map((weight, of) => {
      const odds = (factor * share) / (1 - share)
      const moved = {
        ...model,
        followShare: odds / (1 + odds),
        sigmaBps: model.sigmaBps * MOVING.sigma[of]!,
        driftSdBpsPerDay: model.driftSdBpsPerDay * MOVING.drift[of]!,
        publicationNoiseBps: model.publicationNoiseBps * MOVING.noise[of]!,
      }
      return [moved, FOLLOWING.prior[at]! * weight] as const
    }),
  )
}

/** A delay is combined with the configured half-life only. */
function errorsAround(stated: FeedError): readonly (readonly [FeedError, number, number])[] {
  return ERRORS.size.flatMap((factor, at) =>
    HALF_LIVES.length.flatMap((longer, of) => {
      const errorBps = factor * Math.max(LEAST_ERROR_BPS, stated.errorBps)
      const error = { errorBps, errorHalfLifeDays: longer * stated.errorHalfLifeDays }
      const prior = ERRORS.prior[at]! * HALF_LIVES.prior[of]!
      const delays = longer === 1 ? DELAYS.days : DELAYS.days.slice(0, 1)
      return delays.map((days, delay) => [error, days, prior * DELAYS.prior[delay]!] as const)
    }),
  )
}

/** Returns the estimate before the first day: the gap between rate and level is as wide as it usually is. */
function stationary(model: RateModel, error: FeedError, levelBps: number): JointEstimate {
  const joint = knownZeros(SIZE)
  for (const place of [RATE, DAY_BEFORE, TWO_BEFORE, LEVEL]) joint.mean[place] = levelBps
  const kept = 2 ** (-1 / model.driftHalfLifeDays)
  const left = 1 - model.followShare
  const drift = model.driftSdBpsPerDay ** 2
  const shared = (kept * drift) / (1 - kept * left)
  const gap = (drift + 2 * left * shared + model.sigmaBps ** 2) / (1 - left * left)
  addNoise(joint, [RATE, DRIFT], [gap, shared, shared, drift])
  const noise = model.publicationNoiseBps ** 2
  addNoise(joint, [RATE, DAY_BEFORE, TWO_BEFORE, LEVEL], Array<number>(16).fill(noise))
  addNoise(joint, [ERROR], [error.errorBps ** 2 * dailyMeans(error.errorHalfLifeDays).variance])
  addNoise(joint, [OFFSET], [OFFSET_SD_BPS ** 2])
  return joint
}

/** Adds a day: first its update, which describes the day before, then the feed's readings. */
export function addDay(all: FeedHypotheses, today: JudgedDay): void {
  const { ofFeed, ofNone, last } = all
  if (today.published !== null && last !== null) {
    const gain = publish(ofFeed, today.published) - publish(ofNone, today.published)
    all.gain = KEPT * all.gain + gain
    if (last.mean !== null) all.updates += 1
  }
  const days = last === null ? 1 : today.day - last.day
  for (const one of ofFeed) pass(one, days)
  for (const one of ofNone) pass(one, days)
  all.last = today
  if (today.mean === null) return
  for (const one of ofFeed) {
    const sum = [
      [RATE + one.delayDays, 1],
      [ERROR, 1],
      [OFFSET, 1],
    ] as const
    weigh(one, observe(one.joint, sum, today.mean, (PART_OF_DAY * one.model.sigmaBps) ** 2))
  }
}

/** Returns the log of the probability density that the hypotheses gave to the update. */
function publish(all: readonly FeedHypothesis[], published: number): number {
  const before = logSum(all)
  for (const one of all) {
    const { followShare, publicationNoiseBps } = one.model
    replaceBySum(one.joint, LEVEL, [
      [LEVEL, 1 - followShare],
      [RATE, followShare],
    ])
    weigh(one, observe(one.joint, [[LEVEL, 1]], published, publicationNoiseBps ** 2))
  }
  return logSum(all) - before
}

function weigh(one: FeedHypothesis, seen: ReturnType<typeof observe>): void {
  if (seen !== null) one.logWeight -= (Math.log(seen.variance) + seen.surprise ** 2 / seen.variance) / 2
}

/** Returns the log of the sum of the weights. */
export function logSum(all: readonly FeedHypothesis[]): number {
  let most = -Infinity
  for (const { logWeight } of all) most = Math.max(most, logWeight)
  let sum = 0
  for (const { logWeight } of all) sum += Math.exp(logWeight - most)
  return most + Math.log(sum)
}

/** Advances to the next working day, `days` later. */
function pass({ joint, model, error }: FeedHypothesis, days: number): void {
  replaceBySum(joint, TWO_BEFORE, [[DAY_BEFORE, 1]])
  replaceBySum(joint, DAY_BEFORE, [[RATE, 1]])
  replaceBySum(joint, RATE, [
    [RATE, 1],
    [DRIFT, 1],
  ])
  const kept = 2 ** (-1 / model.driftHalfLifeDays)
  shrink(joint, DRIFT, kept)
  const { variance, correlation } = dailyMeans(error.errorHalfLifeDays)
  const left = correlation * 2 ** (-(days - 1) / error.errorHalfLifeDays)
  shrink(joint, ERROR, left)
  addNoise(joint, [RATE], [model.sigmaBps ** 2])
  addNoise(joint, [DRIFT], [model.driftSdBpsPerDay ** 2 * (1 - kept * kept)])
  addNoise(joint, [ERROR], [error.errorBps ** 2 * variance * (1 - left * left)])
  addNoise(joint, [OFFSET], [OFFSET_MOVES_BPS ** 2 * days])
}

/** Returns variance and correlation of the means of consecutive days of an error whose variance is 1. */
function dailyMeans(halfLifeDays: number): { readonly variance: number; readonly correlation: number } {
  const decay = Math.LN2 / halfLifeDays
  const rest = -Math.expm1(-decay)
  const variance = (2 / decay) * (1 - rest / decay)
  return { variance, correlation: Math.min(1, (rest / decay) ** 2 / variance) }
}

/** Returns mean and variance of the offset under a hypothesis. */
export function offsetUnder({ joint }: FeedHypothesis): { readonly mean: number; readonly variance: number } {
  return { mean: joint.mean[OFFSET]!, variance: joint.covariance[OFFSET * SIZE + OFFSET]! }
}
