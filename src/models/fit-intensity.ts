import type { Estimate } from './calibration.ts'
import type { IntensitySample } from './intensity-sample.ts'
import { tiltedExposure } from './tilted-exposure.ts'

/** lambda(delta) = A exp(-k delta) by maximum likelihood. */
export type IntensityFit = {
  readonly a: Estimate
  readonly k: Estimate
  readonly seOfK: number
  readonly seOfLogA: number
  /** Standard deviation of the spreads at which fills are expected: what k is learned from. */
  readonly sdBps: number
  /** Up to a constant of the data. */
  readonly logLikelihood: number
}

/** 90 % of a normal law lies within so many standard deviations. */
export const Z90 = 1.6448536269514722
/** Per bps; nothing that is not a mistake lies beyond. */
const STEEPEST = 50
const LARGEST_LOG = 700
const STEPS = 200

/**
 * A and k with standard errors and 90 % intervals. The profile A(k) = N / sum e exp(-k delta) leaves one
 * equation, mean spread of the fills = mean spread of the tilted exposure, whose left side less the right
 * rises in k: Newton inside a bracket. Errors from the observed information, times `overdispersion`; the
 * interval of A is taken in ln A. Null where k is not identified: no fills, one spread only, all fills at
 * the narrowest (or widest) spread, or so steep a fall that A leaves the range of numbers. Source: quant.md
 * section 3.
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

/** max over A of the log-likelihood at k; concave in k. */
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
