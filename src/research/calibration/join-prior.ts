import { DAY_MS, type Ms } from '../../base/time.ts'
import { type Calibration, type Estimate, type Intensity, takerLaw } from '../../core/models/calibration.ts'
import { Z90 } from '../models/fit-intensity.ts'

/** In this time half of what earlier fills show is forgotten, as the fills of a year show little about the takers of today. */
const HALF_LIFE_MS: Ms = 56 * DAY_MS
/** The 1 % point of chi-square with two degrees of freedom. */
const OTHER_TAKERS = -2 * Math.log(0.01)

export type JoinedPrior = {
  readonly calibration: Calibration
  /** How much a fill of the prior counts, 0..1. */
  readonly weight: number
  /** Why the prior does not count; null = it does. */
  readonly ignored: string | null
}

/**
 * Returns A and k of `found` joined with those of an earlier calibration of other days, whose fills count half per eight weeks of age.
 * It does not count if other takers came since. All other figures are those of `found`. Source: Ibrahim, Chen 2000, power priors,
 * doi:10.1214/ss/1009212673.
 */
export function joinPrior(found: Calibration, prior: Calibration): JoinedPrior {
  const ignore = (why: string) => ({ calibration: found, weight: 0, ignored: why })
  if (found.since !== undefined) return ignore('other takers came since')
  if (prior.both.fills === 0) return ignore('it has no fills')
  const weight = 2 ** (-(found.to - prior.to) / HALF_LIFE_MS)
  // Intervals without a width give NaN.
  if (!(disagreement(found.both, prior.both, weight) <= OTHER_TAKERS))
    return ignore('A and k since then differ from it by more than chance')
  const of = (side: 'bid' | 'ask') => {
    const [now, before] = [found[side], prior[side]]
    return now === null || before === null || now.fills === 0 || before.fills === 0
      ? now
      : joined(now, before, weight)
  }
  const both = joined(found.both, prior.both, weight)
  const counted = Math.round(weight * prior.both.fills)
  const warning = `A and k also contain an earlier calibration: its ${prior.both.fills} fills count as ${counted}`
  return {
    calibration: {
      ...found,
      from: Math.min(found.from, prior.from),
      both,
      bid: of('bid'),
      ask: of('ask'),
      warnings: [warning, ...found.warnings],
    },
    weight,
    ignored: null,
  }
}

/** A normal law of (ln A, ln k): its mean, and its precision by rows. */
type Law = { readonly mean: Pair; readonly precision: Matrix }
type Pair = readonly [number, number]
/** Symmetric: both diagonal elements, then the other one. */
type Matrix = readonly [number, number, number]

/**
 * The rate at the spread of the fills and ln k err independently; ln A is that rate plus a slope times ln k, as in `drawIntensity`.
 * Every variance grows by 1 / weight.
 */
function lawOf({ a, k, fills, overdispersion, ...rest }: Intensity, weight: number): Law {
  const { quotedRate } = rest
  const [ofA, ofK] = [logSd(a) ** 2, logSd(k) ** 2]
  const ofRate = Math.min(quotedRate === undefined ? ofA : Infinity, overdispersion ** 2 / fills)
  const slope = quotedRate === undefined ? Math.sqrt((ofA - ofRate) / ofK) : k.value * quotedRate.bps
  const level = takerLaw({ a, fills, overdispersion, ...rest }, k.value).a
  return {
    mean: [Math.log(level), Math.log(k.value)],
    precision: [weight / ofRate, weight * (slope ** 2 / ofRate + 1 / ofK), (-weight * slope) / ofRate],
  }
}

function joined(now: Intensity, before: Intensity, weight: number): Intensity {
  const [first, second] = [lawOf(now, 1), lawOf(before, weight)]
  const variance = inverse(sumOf(first.precision, second.precision))
  const [left, right] = [times(first.precision, first.mean), times(second.precision, second.mean)]
  const mean = times(variance, [left[0] + right[0], left[1] + right[1]])
  const estimate = (i: 0 | 1): Estimate => {
    const [log, reach] = [mean[i], Z90 * Math.sqrt(variance[i])]
    return { value: Math.exp(log), low: Math.exp(log - reach), high: Math.exp(log + reach) }
  }
  const priorOnly = (now.priorOnly ?? []).filter((each) => before.priorOnly?.includes(each) ?? false)
  const { quotedRate, ...rest } = now
  return {
    ...rest,
    a: estimate(0),
    k: estimate(1),
    fills: now.fills + Math.round(weight * before.fills),
    exposureDays: now.exposureDays + weight * before.exposureDays,
    method: 'posterior',
    priorOnly,
    ...(quotedRate === undefined || !priorOnly.includes('k') ? {} : { quotedRate }),
  }
}

/** The squared distance of both laws in units of its error: chi-square with two degrees of freedom if the takers are the same. */
function disagreement(now: Intensity, before: Intensity, weight: number): number {
  const [first, second] = [lawOf(now, 1), lawOf(before, weight)]
  const apart: Pair = [first.mean[0] - second.mean[0], first.mean[1] - second.mean[1]]
  const scaled = times(inverse(sumOf(inverse(first.precision), inverse(second.precision))), apart)
  return apart[0] * scaled[0] + apart[1] * scaled[1]
}

const logSd = ({ low, high }: Estimate) => Math.log(high / low) / (2 * Z90)
const sumOf = (a: Matrix, b: Matrix): Matrix => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const times = ([a, d, b]: Matrix, [x, y]: Pair): Pair => [a * x + b * y, b * x + d * y]
function inverse([a, d, b]: Matrix): Matrix {
  const determinant = a * d - b * b
  return [d / determinant, a / determinant, -b / determinant]
}
