const G = 7
const COEFFICIENTS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const
const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)

/**
 * ln Gamma(x) for x > 0, to about 14 digits.
 * Source: Lanczos 1964, the g = 7, n = 9 coefficients of Godfrey.
 */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  let series: number = COEFFICIENTS[0]
  for (let i = 1; i < COEFFICIENTS.length; i++) series += (COEFFICIENTS[i] ?? 0) / (x - 1 + i)
  const t = x + G - 0.5
  return HALF_LOG_TWO_PI + (x - 0.5) * Math.log(t) - t + Math.log(series)
}
