import { DAY_MS, type Ms } from '../../../base/time.ts'
import type { FairValueEstimate } from '../../../core/models/calibration.ts'
import { minimise } from '../statistics/minimise.ts'
import {
  type GapSettings,
  addReading,
  addUpdate,
  settledLoss,
  startGapFilter,
} from '../../../core/models/fair-value/gap-filter.ts'
import { DEFAULT_FEED_ERROR, DEFAULT_RATE_MODEL } from '../../../core/models/fair-value/rate-model.ts'

/** A figure and the time it was first seen. */
export type Seen = { readonly t: Ms; readonly tzsPerUsd: number }

/** The filter's parameters, estimated from updates and one feed. */
export type RateModelFit = {
  readonly sigmaBps: FairValueEstimate
  readonly followShare: FairValueEstimate
  readonly publicationNoiseBps: FairValueEstimate
  /** Null without readings. */
  readonly errorBps: FairValueEstimate | null
  readonly errorHalfLifeDays: FairValueEstimate | null
}

/** Priors: the default, and a standard deviation of its logarithm (of the share: of its log-odds). */
const PRIORS = {
  sigmaBps: { median: DEFAULT_RATE_MODEL.sigmaBps, sd: 0.5, min: 1, max: 500 },
  followShare: { median: DEFAULT_RATE_MODEL.followShare, sd: 1, min: 0.01, max: 1 },
  publicationNoiseBps: { median: DEFAULT_RATE_MODEL.publicationNoiseBps, sd: 0.7, min: 0, max: 200 },
  errorBps: { median: DEFAULT_FEED_ERROR.errorBps, sd: 0.8, min: 0, max: 1_000 },
  errorHalfLifeDays: { median: DEFAULT_FEED_ERROR.errorHalfLifeDays, sd: 1.2, min: 0.01, max: 365 },
}
type Parameter = keyof typeof PRIORS

const OF_UPDATES = ['sigmaBps', 'followShare', 'publicationNoiseBps'] as const
const OF_FEED = [...OF_UPDATES, 'errorBps', 'errorHalfLifeDays'] as const
const REACH_90 = 1.645
/** If more of the prior's uncertainty remains, the tape did not measure the parameter. */
const UNTOLD = 0.85
const FEED = 'feed'

/**
 * Returns the parameters with which the filter best predicts the mid's updates and one feed's readings: the posterior
 * mode, with 90 % intervals from its curvature. Parameters that the tape does not determine keep the prior and are
 * marked. Both lists ascend in time; the first updates initialise the filter. Null for fewer than two updates. Source:
 * prediction error decomposition, Harvey 1989; the moments of the steps are those of market.md section 4.6.
 */
export function fitRateModel(updates: readonly Seen[], readings: readonly Seen[]): RateModelFit | null {
  if (updates.length < 2) return null
  const names: readonly Parameter[] = readings.length === 0 ? OF_UPDATES : OF_FEED
  const loss = (point: readonly number[]) =>
    lossOf(settingsAt(names, point), updates, readings) + point.reduce((sum, z) => sum + z * z, 0)
  const { at, inverseCurvature } = minimise(
    loss,
    names.map(() => 0),
  )
  const estimateOf = (name: Parameter): FairValueEstimate => {
    const index = names.indexOf(name)
    // Half of the loss is the negative log of the posterior.
    const variance = inverseCurvature === null ? 1 : Math.max(0, 2 * inverseCurvature[index]![index]!)
    const sd = Math.sqrt(variance)
    const isMeasured = sd < UNTOLD
    const [mode, reach] = isMeasured ? [at[index]!, REACH_90 * sd] : [0, REACH_90]
    return {
      value: figureAt(name, mode),
      low: figureAt(name, mode - reach),
      high: figureAt(name, mode + reach),
      isMeasured,
    }
  }
  return {
    sigmaBps: estimateOf('sigmaBps'),
    followShare: estimateOf('followShare'),
    publicationNoiseBps: estimateOf('publicationNoiseBps'),
    errorBps: readings.length === 0 ? null : estimateOf('errorBps'),
    errorHalfLifeDays: readings.length === 0 ? null : estimateOf('errorHalfLifeDays'),
  }
}

/** Returns the parameter `z` standard deviations of its prior from the default. */
function figureAt(name: Parameter, z: number): number {
  const { median, sd, min, max } = PRIORS[name]
  const figure =
    name === 'followShare'
      ? 1 / (1 + Math.exp(-(Math.log(median / (1 - median)) + sd * z)))
      : median * Math.exp(sd * z)
  return Math.min(max, Math.max(min, figure))
}

function settingsAt(names: readonly Parameter[], point: readonly number[]): GapSettings {
  const figure = (name: Parameter) => figureAt(name, point[names.indexOf(name)] ?? 0)
  return {
    ...DEFAULT_RATE_MODEL,
    sigmaBps: figure('sigmaBps'),
    followShare: figure('followShare'),
    publicationNoiseBps: figure('publicationNoiseBps'),
    feeds: { [FEED]: { errorBps: figure('errorBps'), errorHalfLifeDays: figure('errorHalfLifeDays') } },
  }
}

/** Returns twice the negative log-likelihood of everything after the day of the first update. */
function lossOf(settings: GapSettings, updates: readonly Seen[], readings: readonly Seen[]): number {
  const [first, ...rest] = updates
  if (first === undefined) return 0
  const filter = startGapFilter(settings, first.tzsPerUsd, first.t, false)
  const begun = (Math.floor(first.t / DAY_MS) + 1) * DAY_MS
  let isCounted = false
  let [update, reading] = [0, 0]
  while (reading < readings.length && readings[reading]!.t < first.t) reading++
  while (update < rest.length || reading < readings.length) {
    const [updateAt, readingAt] = [rest[update]?.t ?? Infinity, readings[reading]?.t ?? Infinity]
    if (!isCounted && Math.min(updateAt, readingAt) >= begun) {
      isCounted = true
      settledLoss(filter, settings, begun)
      filter.loss = 0
    }
    if (updateAt <= readingAt) addUpdate(filter, settings, updateAt, rest[update++]!.tzsPerUsd)
    else addReading(filter, settings, { name: FEED, ...readings[reading++]! })
  }
  return settledLoss(filter, settings, filter.t)
}
