import { seededRandom } from '../../../base/random.ts'
import { bootstrapInterval } from '../../../core/models/intervals.ts'

/** Replicates of a bootstrap over days. Each is a list of blocks: first day and length, one after the other. */
export type BlockDraws = { readonly days: number; readonly replicates: readonly Int32Array[] }

const REPLICATES = 2000

/**
 * Draws the days of each replicate of a stationary block bootstrap once for all variants: every variant met the same days,
 * so only common blocks make their differences comparable. No replicates for fewer than two days. Source: quant.md section
 * 5.
 */
export function blockDraws(days: number, seed: number): BlockDraws {
  const replicates: Int32Array[] = []
  const indexes = Float64Array.from({ length: days }, (_, index) => index)
  bootstrapInterval(
    indexes,
    (resample) => {
      replicates.push(blocksOf(resample))
      return 0
    },
    { random: seededRandom(seed, 'sweep blocks'), replicates: REPLICATES },
  )
  // The first call is for the original days.
  return { days, replicates: replicates.slice(1) }
}

/** Returns the mean of `values`, one per day, in each replicate. */
export function resampledMeans(values: ArrayLike<number>, { days, replicates }: BlockDraws): Float64Array {
  // A block is a difference of two running sums: a year has 365 days but only some fifty blocks.
  const upTo = new Float64Array(days + 1)
  for (let day = 0; day < days; day++) upTo[day + 1] = (upTo[day] ?? 0) + (values[day] ?? 0)
  const means = new Float64Array(replicates.length)
  replicates.forEach((blocks, replicate) => {
    let sum = 0
    for (let i = 0; i < blocks.length; i += 2) {
      const from = blocks[i] ?? 0
      sum += (upTo[from + (blocks[i + 1] ?? 0)] ?? 0) - (upTo[from] ?? 0)
    }
    means[replicate] = sum / days
  })
  return means
}

/** Merges consecutive days into blocks; a block that wraps around the end becomes two. */
function blocksOf(drawn: Float64Array): Int32Array {
  const blocks: number[] = []
  let from = -1
  let length = 0
  for (const day of drawn) {
    if (day === from + length) {
      length += 1
      continue
    }
    if (length > 0) blocks.push(from, length)
    from = day
    length = 1
  }
  blocks.push(from, length)
  return Int32Array.from(blocks)
}
