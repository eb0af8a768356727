import { fitIntensity } from './fit-intensity.ts'
import type { IntensitySample } from './intensity-sample.ts'

/** lambda(delta) = scale / (1 + exp(alpha + beta delta)), compared with the exponential, its limit for large alpha. */
type LogisticRatio = {
  /** Twice the gain in log-likelihood over the exponential. */
  readonly ratio: number
  readonly alpha: number
  readonly beta: number
  /** Fills a day at a spread of minus infinity. */
  readonly scale: number
}

/** The 95 % point of chi-square with one degree of freedom: below it the exponential is preferred. */
export const LOGISTIC_PREFERRED = 3.84

const FLATTEST = Math.log(1e-4)
const STEEPEST = Math.log(1)
const GOLDEN = (Math.sqrt(5) - 1) / 2
const SECTIONS = 24

/**
 * Compares a logistic hit ratio with the exponential: its scale in closed form, beta by golden section for each alpha of a
 * grid from -6 to 8. Null if the exponential is not identified. Source: quant.md sections 1.4 and 3.
 */
export function logisticRatio(sample: IntensitySample): LogisticRatio | null {
  const exponential = fitIntensity(sample)
  if (exponential === null) return null
  let best = { logLikelihood: -Infinity, alpha: 0, beta: 0, scale: 0 }
  for (let alpha = -6; alpha <= 8; alpha += 0.5) {
    const found = bestAt(sample, alpha)
    if (found.logLikelihood > best.logLikelihood) best = { ...found, alpha }
  }
  const { logLikelihood, ...shape } = best
  return { ratio: Math.max(0, 2 * (logLikelihood - exponential.logLikelihood)), ...shape }
}

type Found = { readonly logLikelihood: number; readonly beta: number; readonly scale: number }

function bestAt(sample: IntensitySample, alpha: number): Found {
  let [low, high] = [FLATTEST, STEEPEST]
  let left = likelihoodAt(sample, alpha, high - GOLDEN * (high - low))
  let right = likelihoodAt(sample, alpha, low + GOLDEN * (high - low))
  for (let i = 0; i < SECTIONS; i++) {
    if (left.logLikelihood > right.logLikelihood) {
      high = low + GOLDEN * (high - low)
      right = left
      left = likelihoodAt(sample, alpha, high - GOLDEN * (high - low))
    } else {
      low = high - GOLDEN * (high - low)
      left = right
      right = likelihoodAt(sample, alpha, low + GOLDEN * (high - low))
    }
  }
  return left.logLikelihood > right.logLikelihood ? left : right
}

function likelihoodAt(sample: IntensitySample, alpha: number, logBeta: number): Found {
  const { bps, days, counts, fills } = sample
  const beta = Math.exp(logBeta)
  let expected = 0
  let logHits = 0
  for (let i = 0; i < bps.length; i++) {
    const x = alpha + beta * bps[i]!
    const odds = Math.exp(-Math.abs(x))
    expected += (days[i]! * (x > 0 ? odds : 1)) / (1 + odds)
    if (counts[i]! > 0) logHits -= counts[i]! * (Math.max(0, x) + Math.log1p(odds))
  }
  const scale = fills / expected
  return { logLikelihood: fills * (Math.log(scale) - 1) + logHits, beta, scale }
}
