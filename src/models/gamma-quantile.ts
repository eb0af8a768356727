import { gammaCdf, gammaTail } from './gamma-cdf.ts'
import { logGamma } from './log-gamma.ts'
import { normalQuantile } from './normal-quantile.ts'

const STEPS = 200

/**
 * The x with P(X <= x) = probability for X ~ Gamma(shape, rate 1), shape > 0, 0 <= probability < 1.
 * Starts from Wilson and Hilferty 1931 and refines by Newton's steps kept inside a bracket.
 */
export function gammaQuantile(probability: number, shape: number): number {
  if (probability <= 0) return 0
  let low = 0
  let high = Infinity
  let x = firstGuess(probability, shape)
  for (let step = 0; step < STEPS; step++) {
    const error = missed(probability, shape, x)
    if (error === 0) return x
    if (error > 0) high = x
    else low = x
    const density = Math.exp((shape - 1) * Math.log(x) - x - logGamma(shape))
    const newton = x - error / density
    const next = newton > low && newton < high ? newton : high === Infinity ? 2 * x : (low + high) / 2
    if (Math.abs(next - x) <= 1e-15 * x) return next
    x = next
  }
  return x
}

function firstGuess(probability: number, shape: number): number {
  const spread = 1 / (9 * shape)
  const guess = shape * (1 - spread + normalQuantile(probability) * Math.sqrt(spread)) ** 3
  // In the lower tail the distribution is x^shape / Gamma(shape + 1) and nothing more.
  return guess > 0.1 * shape ? guess : Math.exp((Math.log(probability) + logGamma(shape + 1)) / shape)
}

/** The cdf at x less the wanted probability, by whichever tail has the digits. */
function missed(probability: number, shape: number, x: number): number {
  return probability < 0.5 ? gammaCdf(shape, x) - probability : 1 - probability - gammaTail(shape, x)
}
