import { normalQuantile } from './normal-quantile.ts'

const AS_GOOD_AS_NORMAL = 10_000
const HALVINGS = 80

/**
 * The t with P(T <= t) = probability for Student's T with a whole number of degrees of freedom >= 1,
 * 0 < probability < 1. Source: Abramowitz and Stegun 26.7.3 and 26.7.4, solved by bisection.
 */
export function studentQuantile(probability: number, degrees: number): number {
  if (probability < 0.5) return -studentQuantile(1 - probability, degrees)
  if (degrees > AS_GOOD_AS_NORMAL) return normalQuantile(probability)
  // theta = atan(t / sqrt(degrees)) runs over a finite range, which t does not.
  let low = 0
  let high = Math.PI / 2
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    if (within(middle, degrees) < 2 * probability - 1) low = middle
    else high = middle
  }
  return Math.sqrt(degrees) * Math.tan((low + high) / 2)
}

/** P(|T| <= t) where theta = atan(t / sqrt(degrees)). */
function within(theta: number, degrees: number): number {
  const square = Math.cos(theta) ** 2
  const odd = degrees % 2 === 1
  let term = odd ? Math.cos(theta) : 1
  let sum = degrees === 1 ? 0 : term
  for (let n = odd ? 3 : 2; n < degrees; n += 2) {
    term *= (square * (n - 1)) / n
    sum += term
  }
  return odd ? (2 / Math.PI) * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum
}
