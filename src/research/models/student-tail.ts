import { awayFromZero, logGamma } from '../../core/models/distributions.ts'

const MOST_TERMS = 300
const PRECISE = 1e-14

/**
 * Returns P(|T| > |t|) under Student's law, the two-sided p-value: the regularised incomplete beta function I_x(v/2,
 * 1/2) at x = v/(v + t^2), since T^2 = v F (DLMF 8.17), by its continued fraction.
 */
export function studentTail(t: number, degrees: number): number {
  if (!Number.isFinite(t)) return Number.isNaN(t) ? Number.NaN : 0
  const x = degrees / (degrees + t * t)
  const [a, b] = [degrees / 2, 0.5]
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x))
  if (x >= 1) return 1
  const isLow = x < (a + 1) / (a + b + 2)
  return isLow ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** Lentz's method on DLMF 8.17.22. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m <= MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    value *= d * c
    if (Math.abs(d * c - 1) < PRECISE) break
  }
  return value
}
