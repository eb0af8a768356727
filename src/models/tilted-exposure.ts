import type { IntensitySample } from './intensity-sample.ts'

/** Exposure tilted by exp(-k delta): where the fills of an intensity that falls with k are expected. */
export type TiltedExposure = {
  /** ln of sum e_j exp(-k delta_j). */
  readonly logSum: number
  /** Mean and standard deviation of the spread under these weights. */
  readonly meanBps: number
  readonly sdBps: number
}

/**
 * The sums of quant.md section 3 in one pass, safe for any k: only differences of exponents are taken. The
 * sample has at least one entry.
 */
export function tiltedExposure({ bps, days }: IntensitySample, k: number): TiltedExposure {
  let largest = -Infinity
  for (let i = 0; i < bps.length; i++) largest = Math.max(largest, Math.log(days[i]!) - k * bps[i]!)
  const origin = bps[0] ?? 0
  let sum = 0
  let first = 0
  let second = 0
  for (let i = 0; i < bps.length; i++) {
    const weight = Math.exp(Math.log(days[i]!) - k * bps[i]! - largest)
    const away = bps[i]! - origin
    sum += weight
    first += weight * away
    second += weight * away * away
  }
  const mean = first / sum
  return {
    logSum: largest + Math.log(sum),
    meanBps: origin + mean,
    sdBps: Math.sqrt(Math.max(0, second / sum - mean * mean)),
  }
}
