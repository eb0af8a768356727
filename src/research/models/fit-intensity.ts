import type { Estimate } from '../../core/models/calibration.ts'
import { type IntensitySample, tiltedExposure } from './intensity-sample.ts'

/** lambda(delta) = A exp(-k delta) by maximum likelihood. */
export type IntensityFit = {
  readonly a: Estimate
  readonly k: Estimate
  readonly seOfK: number
  readonly seOfLogA: number
  /** Standard deviation of the spreads at which fills are expected, from which k is learned. */
  readonly sdBps: number
  /** Up to a constant of the data. */
  readonly logLikelihood: number
}

/** 90 % of a normal distribution is within this many standard deviations. */
export const Z90 = 1.6448536269514722
/** Per bps; a steeper decay can only be a mistake. */
const STEEPEST = 50
const LARGEST_LOG = 700
const STEPS = 200

/**
 * Returns A and k with standard errors and 90 % intervals. The profile A(k) = N / sum e exp(-k delta) leaves one
 * equation, mean spread of the fills = mean spread of the tilted exposure, whose left side minus the right increases in
 * k: Newton inside a bracket. Errors from the observed information, times `overdispersion`; the interval of A is in ln
 * A. Null if k is not identified: no fills, only one spread, all fills at the narrowest (or widest) spread, or a decay
 * so steep that A overflows. Source: quant.md section 3.
 */
export function fitIntensity(sample: IntensitySample, overdispersion = 1): IntensityFit | null {
  const { bps, fills, meanFillBps } = sample
  const narrowest = bps[0] ?? 0
  const widest = bps.at(-1) ?? 0
  if (fills === 0 || !(meanFillBps > narrowest && meanFillBps < widest)) return null
  const k = solve(sample)
  const { logSum, meanBps, sdBps } = tiltedExposure(sample, k)
  if (!(sdBps > 0)) return null
  const seOfK = overdispersion / (Math.sqrt(fills) * sdBps)
  const seOfLogA = Math.hypot(overdispersion / Math.sqrt(fills), meanBps * seOfK)
  const logA = Math.log(fills) - logSum
  const reach = Z90 * seOfLogA
  if (Math.abs(logA) + reach > LARGEST_LOG) return null
  return {
    a: { value: Math.exp(logA), low: Math.exp(logA - reach), high: Math.exp(logA + reach) },
    k: { value: k, low: k - Z90 * seOfK, high: k + Z90 * seOfK },
    seOfK,
    seOfLogA,
    sdBps,
    logLikelihood: profileLogLikelihood(sample, k),
  }
}

/** Returns the maximum over A of the log-likelihood at k; concave in k. */
export function profileLogLikelihood(sample: IntensitySample, k: number): number {
  const { fills, meanFillBps } = sample
  return fills * (Math.log(fills) - 1 - tiltedExposure(sample, k).logSum - k * meanFillBps)
}

function solve(sample: IntensitySample): number {
  let low = -STEEPEST
  let high = STEEPEST
  let k = 1 / 60
  for (let step = 0; step < STEPS; step++) {
    const { meanBps, sdBps } = tiltedExposure(sample, k)
    const missed = meanBps - sample.meanFillBps
    if (missed > 0) low = k
    else high = k
    const newton = k + missed / (sdBps * sdBps)
    const next = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(next - k) <= 1e-14 * Math.abs(next)) return next
    k = next
  }
  return k
}

/** Observed and expected count of a day. */
export type CountedDay = { readonly count: number; readonly expected: number }

/** Days with fewer expected fills are merged with the next ones. */
const ENOUGH = 1
/** Fewer merged days show nothing about scatter. */
const FEWEST = 4

/**
 * Returns the overdispersion of daily counts relative to a Poisson law, as a factor on standard errors: sqrt(chi2 / df), at
 * least 1. `parameters` is the number of parameters fitted to the same counts. Source: quant.md section 3; McCullagh, Nelder
 * 1989, section 4.5.
 */
export function overdispersion(days: Iterable<CountedDay>, parameters = 2): number {
  let chiSquare = 0
  let stretches = 0
  let count = 0
  let expected = 0
  for (const day of days) {
    count += day.count
    expected += day.expected
    if (expected < ENOUGH) continue
    chiSquare += (count - expected) ** 2 / expected
    stretches += 1
    count = 0
    expected = 0
  }
  const degrees = stretches - parameters
  return degrees < FEWEST ? 1 : Math.max(1, Math.sqrt(chiSquare / degrees))
}
