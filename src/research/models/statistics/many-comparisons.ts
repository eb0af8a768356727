import { normalCdf } from '../../../core/models/distributions.ts'

/**
 * Returns the p-values adjusted for their number, in the given order: below a level exactly if Holm's procedure
 * rejects at that level. Source: Holm 1979; golden in market.md section 5.
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((_, index) => index).toSorted((a, b) => (pValues[a] ?? 1) - (pValues[b] ?? 1))
  const adjusted = pValues.map(() => 1)
  let atLeast = 0
  for (const [rank, index] of order.entries()) {
    atLeast = Math.max(atLeast, Math.min(1, (pValues.length - rank) * (pValues[index] ?? 1)))
    adjusted[index] = atLeast
  }
  return adjusted
}

const REACH = 12
const STEPS = 4_800

/** Returns the expected largest of `count` independent standard normals, count >= 1, to about nine digits. */
export function expectedMaximum(count: number): number {
  // E max = integral of 1 - F^n above 0 less the integral of F^n below it, by the trapezoid rule: F is smooth.
  const width = REACH / STEPS
  let sum = 0
  for (let step = 0; step <= STEPS; step++) {
    const x = step * width
    const above = -Math.expm1(count * Math.log1p(-normalCdf(-x)))
    const below = Math.exp(count * Math.log(normalCdf(-x)))
    sum += (step === 0 || step === STEPS ? 0.5 : 1) * (above - below)
  }
  return sum * width
}

/**
 * Returns the expected best of `variants` worthless variants on `seeds` training seeds, in the unit of `sd`, the standard
 * deviation of one seed's result. Source: market.md section 5.
 */
export function luckOfTheBest(sd: number, seeds: number, variants: number): number {
  return (sd / Math.sqrt(seeds)) * expectedMaximum(variants)
}
