import type { Cluster } from '../../models/clustered-ratio.ts'

/** Sums by print of what is measured per dollar traded, in memory that has an end. */
export type ClusterSums = {
  /** Adds to the sums of a cluster; clusters come in ascending order. */
  readonly add: (cluster: number, sum: number, weight: number, fills: number) => void
  readonly clusters: () => readonly Cluster[]
  /** Fills and clusters that were added. */
  readonly fills: () => number
  readonly count: () => number
}

const CAPACITY = 4096

/**
 * When `capacity` (even) is reached, neighbours are joined two by two and go on as one cluster: the mean
 * stays what it is, and the interval then counts stretches of several prints, which is no less careful.
 */
export function createClusterSums(capacity = CAPACITY): ClusterSums {
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
    add(cluster, sum, weight, fills) {
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
    clusters: () =>
      Array.from({ length }, (_, index) => ({ sum: sums[index] ?? 0, weight: weights[index] ?? 0 })),
    fills: () => allFills,
    count: () => count,
  }
}
