import { seededRandom } from '../base/random.ts'
import { bootstrapInterval } from '../models/bootstrap-interval.ts'

const REPLICATES = 2000

/**
 * Which days each replicate of a stationary block bootstrap is made of, drawn once for all variants: what
 * happened on a day happened to all of them, so only common blocks make their differences comparable.
 * Empty for fewer than two days. Source: quant.md section 5.
 */
export function blockDraws(days: number, seed: number): readonly Int32Array[] {
  const draws: Int32Array[] = []
  const indexes = Float64Array.from({ length: days }, (_, index) => index)
  bootstrapInterval(
    indexes,
    (resample) => {
      draws.push(Int32Array.from(resample))
      return 0
    },
    { random: seededRandom(seed, 'sweep blocks'), replicates: REPLICATES },
  )
  // The first call is the statistic on the days as they were.
  return draws.slice(1)
}

/** The mean of `values` in each replicate, ascending. */
export function resampledMeans(values: ArrayLike<number>, draws: readonly Int32Array[]): Float64Array {
  const means = new Float64Array(draws.length)
  for (let replicate = 0; replicate < draws.length; replicate++) {
    const draw = draws[replicate] ?? NOTHING
    let sum = 0
    for (let i = 0; i < draw.length; i++) sum += values[draw[i] ?? 0] ?? 0
    means[replicate] = sum / draw.length
  }
  return means.sort()
}

const NOTHING = new Int32Array(0)
