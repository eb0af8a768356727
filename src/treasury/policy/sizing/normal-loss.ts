import { normalCdf, normalDensity } from '../../../models/distributions.ts'

/** Demand over some time, taken as normal; any unit, `sd` >= 0. */
export type Demand = { readonly mean: number; readonly sd: number }

/** E[(X - level)+] of a normal demand X: how much is short on average where `level` is held. In units of the demand. */
export function expectedShort(level: number, { mean, sd }: Demand): number {
  if (sd === 0) return Math.max(0, mean - level)
  const z = (level - mean) / sd
  return sd * (normalDensity(z) - z * normalCdf(-z))
}

/** The integral of `expectedShort` from `level` to infinity, in units squared. */
export function shortBeyond(level: number, { mean, sd }: Demand): number {
  if (sd === 0) return Math.max(0, mean - level) ** 2 / 2
  const z = (level - mean) / sd
  return ((sd * sd) / 2) * ((z * z + 1) * normalCdf(-z) - z * normalDensity(z))
}

const STEPS = 200

/** The lowest level at which no more than `short` units are missing on average. `short` > 0. */
export function levelForShort(short: number, demand: Demand): number {
  if (demand.sd === 0) return demand.mean - short
  // Below the mean by what may be short and some deviations, everything above is missing; far above it, nothing.
  let low = demand.mean - short - 10 * demand.sd
  let high = demand.mean + 10 * demand.sd
  for (let step = 0; step < STEPS && high - low > 1e-12 * (Math.abs(high) + demand.sd); step++) {
    const middle = (low + high) / 2
    if (expectedShort(middle, demand) > short) low = middle
    else high = middle
  }
  return high
}
