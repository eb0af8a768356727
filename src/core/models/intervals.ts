import { studentQuantile } from './distributions.ts'
import type { Random } from '../../base/random.ts'
import type { Estimate } from './calibration.ts'
import { quantileOfUnsorted } from './sample-statistics.ts'

/** Sums over observations with one cause: the fills between two prints share the mid's next move. */
export type Cluster = {
  readonly sum: number
  /** The divisor of `sum`: the number of fills for a mean, dollars for an edge per dollar. */
  readonly weight: number
}

/** sum / weight over all clusters. The interval is null if only one cluster has weight. */
export type ClusteredRatio = {
  readonly value: number
  readonly interval: readonly [low: number, high: number] | null
  readonly clusters: number
}

/** sum / weight over all clusters with its standard error, which is null if only one cluster has weight. */
type ClusteredMean = { readonly value: number; readonly se: number | null; readonly clusters: number }

/**
 * The ratio estimator with the variance between clusters; null without weight.
 * Source: Cochran 1977, section 6.3; Liang, Zeger 1986.
 */
export function clusteredMean(clusters: Iterable<Cluster>): ClusteredMean | null {
  const used = [...clusters].filter(({ weight }) => weight > 0)
  const count = used.length
  const weight = used.reduce((total, cluster) => total + cluster.weight, 0)
  if (count === 0) return null
  const value = used.reduce((total, cluster) => total + cluster.sum, 0) / weight
  if (count === 1) return { value, se: null, clusters: 1 }
  const squares = used.reduce((total, cluster) => total + (cluster.sum - value * cluster.weight) ** 2, 0)
  return { value, se: Math.sqrt((count / (count - 1)) * squares) / weight, clusters: count }
}

/**
 * Returns a mean or ratio with a 90 % interval that counts clusters rather than observations: a hundred fills before one print
 * carry the information of one. Null without weight. Source: `clusteredMean`, Student's t with clusters - 1 degrees.
 */
export function clusteredRatio(clusters: Iterable<Cluster>): ClusteredRatio | null {
  const mean = clusteredMean(clusters)
  if (mean === null) return null
  const { value, se, clusters: count } = mean
  if (se === null) return { value, interval: null, clusters: 1 }
  const reach = studentQuantile(0.95, count - 1) * se
  return { value, interval: [value - reach, value + reach], clusters: count }
}

type BootstrapOptions = {
  readonly random: Random
  readonly replicates?: number
  /** Mean length of a block, in values; by default the cube root of their number. 1 = values are independent. */
  readonly meanBlock?: number
  readonly level?: number
}

/**
 * Returns a statistic of a time series with its percentile interval from the stationary block bootstrap: blocks of geometric
 * length from random positions, wrapped around the end, which keeps serial dependence. `statistic` gets a resample of equal
 * length and may read it only during the call. Null for fewer than two values or if the statistic is not a number on them.
 * Source: Politis, Romano 1994.
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
  const all = found.subarray(0, kept)
  const tail = (1 - level) / 2
  return { value, low: quantileOfUnsorted(all, tail), high: quantileOfUnsorted(all, 1 - tail) }
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
