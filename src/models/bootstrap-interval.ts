import type { Random } from '../base/random.ts'
import type { Estimate } from './calibration.ts'
import { quantile } from './sample-statistics.ts'

export type BootstrapOptions = {
  readonly random: Random
  readonly replicates?: number
  /** Mean length of a block, in values; by default the cube root of their number. 1 = values are independent. */
  readonly meanBlock?: number
  readonly level?: number
}

/**
 * A statistic of a series in time with its percentile interval from the stationary block bootstrap: blocks
 * of geometric length from random places, wrapped round the end, so that what follows what is kept.
 * `statistic` gets a resample of equal length; it may read it only during the call. Null where there are
 * fewer than two values or the statistic is no number on them. Source: Politis, Romano 1994.
 */
export function bootstrapInterval(
  values: ArrayLike<number>,
  statistic: (resample: Float64Array) => number,
  options: BootstrapOptions,
): Estimate | null {
  const count = values.length
  const original = Float64Array.from(values)
  const value = count < 2 ? Number.NaN : statistic(original.slice())
  if (!Number.isFinite(value)) return null
  const { random, replicates = 1000, meanBlock = Math.cbrt(count), level = 0.9 } = options
  const resample = new Float64Array(count)
  const found = new Float64Array(replicates)
  let kept = 0
  for (let replicate = 0; replicate < replicates; replicate++) {
    drawBlocks(original, resample, 1 / Math.max(1, meanBlock), random)
    const drawn = statistic(resample)
    if (Number.isFinite(drawn)) found[kept++] = drawn
  }
  if (kept === 0) return null
  const sorted = found.subarray(0, kept).sort()
  const tail = (1 - level) / 2
  return { value, low: quantile(sorted, tail), high: quantile(sorted, 1 - tail) }
}

function drawBlocks(from: Float64Array, to: Float64Array, chanceOfEnd: number, random: Random): void {
  const count = from.length
  let at = 0
  for (let i = 0; i < count; i++) {
    if (i === 0 || random() < chanceOfEnd) at = Math.floor(random() * count)
    else if (++at === count) at = 0
    to[i] = from[at] ?? 0
  }
}
