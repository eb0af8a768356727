import type { Cluster } from '../../../../core/models/intervals.ts'
import type { Ms } from '../../../../base/time.ts'

/** Sums per rate update of a measure per dollar traded, in bounded memory. */
export type ClusterSums = ReturnType<typeof createClusterSums>

const CAPACITY = 4096

/**
 * At `capacity` (even), neighbours are joined in pairs and continue as one cluster. The mean is unchanged; the interval
 * then covers runs of several rate updates, which is at least as conservative.
 */
export function createClusterSums(capacity = CAPACITY) {
  const sums = new Float64Array(capacity)
  const weights = new Float64Array(capacity)
  let length = 0
  let last = -1
  let count = 0
  let allFills = 0

  const join = (): void => {
    length = capacity / 2
    for (let i = 0; i < length; i++) {
      sums[i] = sums[2 * i]! + sums[2 * i + 1]!
      weights[i] = weights[2 * i]! + weights[2 * i + 1]!
    }
    sums.fill(0, length)
    weights.fill(0, length)
  }

  return {
    /** Adds to the sums of a cluster; clusters come in ascending order. */
    add(cluster: number, sum: number, weight: number, fills: number): void {
      if (cluster !== last) {
        if (length === capacity) join()
        last = cluster
        length += 1
        count += 1
      }
      sums[length - 1]! += sum
      weights[length - 1]! += weight
      allFills += fills
    },
    clusters: (): readonly Cluster[] =>
      Array.from({ length }, (_, index) => ({ sum: sums[index] ?? 0, weight: weights[index] ?? 0 })),
    /** Number of added fills and clusters. */
    fills: (): number => allFills,
    count: (): number => count,
  }
}

/** Histogram of a non-negative value, weighted by time. */
const BINS = 2000

/**
 * Creates bins of equal width, initially `scale` wide together; a value beyond them doubles the width. Quantiles are
 * accurate to a thousandth of the larger of `scale` and the highest value.
 */
export function createTimeHistogram(scale: number) {
  const held = new Float64Array(BINS)
  const sums = { width: scale / BINS, time: 0, valueTime: 0 }

  const widen = (): void => {
    for (let i = 0; i < BINS / 2; i++) held[i] = held[2 * i]! + held[2 * i + 1]!
    held.fill(0, BINS / 2)
    sums.width *= 2
  }

  return {
    hold(value: number, forMs: Ms): void {
      while (value >= sums.width * BINS) widen()
      held[Math.floor(value / sums.width)]! += forMs
      sums.time += forMs
      sums.valueTime += value * forMs
    },
    /** Weighted by time; null = no time has passed. */
    mean: (): number | null => (sums.time > 0 ? sums.valueTime / sums.time : null),
    /** Returns the value below which it was for this share of the time, to half a bin. */
    quantile(probability: number): number | null {
      if (!(sums.time > 0)) return null
      const wanted = probability * sums.time
      let below = 0
      for (let i = 0; i < BINS; i++) {
        const inBin = held[i]!
        if (inBin > 0 && below + inBin >= wanted) return (i + (wanted - below) / inBin) * sums.width
        below += inBin
      }
      return sums.width * BINS
    },
  }
}
