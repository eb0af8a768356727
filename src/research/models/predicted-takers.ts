import { drawNormal, type Random } from '../../base/random.ts'
import type { Estimate, Intensity } from '../../core/models/calibration.ts'
import { gammaTail } from '../../core/models/distributions.ts'
import { drawIntensity } from './intensity-posterior.ts'
import { type IntensitySample, tiltedExposure } from './intensity-sample.ts'
import { quantile } from '../../core/models/sample-statistics.ts'

const DRAWS = 1_000
const TAIL = 0.05

/** Expected fills over an exposure, one entry per draw of A and k from the posterior of a calibration. */
export type PredictedTakers = {
  /** Mean number of fills. */
  readonly counts: Float64Array
  /** Mean half-spread of the fills, bps; empty without exposure. */
  readonly meanBps: Float64Array
}

/**
 * Returns fills and their mean half-spread over an exposure, by draws from the posterior of A and k. If k is only the
 * prior, the draws pass through the rate measured at the quoted spread, because A alone is not identified there.
 * Source: quant.md section 3.
 */
export function predictTakers(
  intensity: Intensity,
  sample: IntensitySample,
  random: Random,
): PredictedTakers {
  const counts = new Float64Array(DRAWS)
  if (sample.bps.length === 0) return { counts, meanBps: new Float64Array(0) }
  const meanBps = new Float64Array(DRAWS)
  for (let i = 0; i < DRAWS; i++) {
    const { a, k } = drawIntensity(intensity, random)
    const tilted = tiltedExposure(sample, k)
    counts[i] = a * Math.exp(tilted.logSum)
    meanBps[i] = tilted.meanBps
  }
  return { counts, meanBps }
}

/**
 * Returns the predictive median of a count with its 90 % band, inclusive: Poisson counts around each of `means`,
 * widened by `overdispersion`, a factor of the standard deviation.
 */
export function countBand(means: Float64Array, overdispersion: number, random: Random): Estimate {
  const scattered = means.map((mean) => {
    const variance = mean > 0 ? Math.log1p((overdispersion ** 2 - 1) / mean) : 0
    return mean * Math.exp(Math.sqrt(variance) * drawNormal(random) - variance / 2)
  })
  return {
    value: quantile(means.toSorted(), 0.5),
    low: countQuantile(scattered, TAIL),
    high: countQuantile(scattered, 1 - TAIL),
  }
}

/** Returns the lowest count that is not exceeded with at least this probability. */
function countQuantile(means: Float64Array, probability: number): number {
  // P(Poisson(mean) <= count) = P(Gamma(count + 1) > mean).
  const below = (count: number) =>
    means.reduce((sum, mean) => sum + gammaTail(count + 1, mean), 0) / means.length
  let high = 1
  while (below(high) < probability) high *= 2
  let low = -1
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (below(middle) < probability) low = middle
    else high = middle
  }
  return high
}

/** Returns median and 90 % band of draws. */
export function drawnBand(draws: Float64Array): Estimate {
  const sorted = draws.toSorted()
  return { value: quantile(sorted, 0.5), low: quantile(sorted, TAIL), high: quantile(sorted, 1 - TAIL) }
}
