import { gammaCdf, gammaTail } from './gamma-cdf.ts'

/** P(Z <= z) for a standard normal Z, both tails to full relative precision: erf(x) is the cdf of Gamma(1/2) at x^2. */
export function normalCdf(z: number): number {
  const tail = 0.5 * gammaTail(0.5, 0.5 * z * z)
  if (z <= 0) return tail
  return z < 1 ? 0.5 + 0.5 * gammaCdf(0.5, 0.5 * z * z) : 1 - tail
}
