import { normalCdf } from './normal-cdf.ts'

const A = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
  2.506628277459239,
]
const B = [
  -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1,
]
const C = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
]
const D = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1]
const TAIL = 0.02425

/**
 * The z with P(Z <= z) = probability, 0 < probability < 1; -Infinity and Infinity at the ends.
 * Source: Acklam's rational approximation (relative error 1.15e-9), then one step of Halley's method.
 */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return -Infinity
  if (probability >= 1) return Infinity
  if (probability > 0.5) return -normalQuantile(1 - probability)
  const z = approximate(probability)
  const error = (normalCdf(z) - probability) * Math.sqrt(2 * Math.PI) * Math.exp((z * z) / 2)
  return z - error / (1 + (z * error) / 2)
}

function approximate(probability: number): number {
  if (probability < TAIL) {
    const q = Math.sqrt(-2 * Math.log(probability))
    return polynomial(C, q) / polynomial(D, q)
  }
  const q = probability - 0.5
  return (polynomial(A, q * q) * q) / polynomial(B, q * q)
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0)
}
