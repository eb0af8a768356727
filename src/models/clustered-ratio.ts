import { studentQuantile } from './distributions.ts'

/** The sums of what shares one cause: the fills between two prints share the mid's next move. */
export type Cluster = {
  readonly sum: number
  /** What `sum` is divided by: the number of fills for a mean, dollars for an edge per dollar. */
  readonly weight: number
}

/** sum / weight over all clusters. The interval is null where there is but one cluster with weight. */
export type ClusteredRatio = {
  readonly value: number
  readonly interval: readonly [low: number, high: number] | null
  readonly clusters: number
}

/**
 * A mean or ratio whose interval counts clusters, not observations: a hundred fills before one print say
 * what one fill says. Null where there is no weight. Source: the ratio estimator with the variance between
 * clusters (Cochran 1977, section 6.3; Liang, Zeger 1986), Student's t with clusters - 1 degrees.
 */
export function clusteredRatio(clusters: Iterable<Cluster>, level = 0.9): ClusteredRatio | null {
  const used = [...clusters].filter(({ weight }) => weight > 0)
  const count = used.length
  const weight = used.reduce((total, cluster) => total + cluster.weight, 0)
  if (count === 0) return null
  const value = used.reduce((total, cluster) => total + cluster.sum, 0) / weight
  if (count === 1) return { value, interval: null, clusters: 1 }
  const squares = used.reduce((total, cluster) => total + (cluster.sum - value * cluster.weight) ** 2, 0)
  const se = Math.sqrt((count / (count - 1)) * squares) / weight
  const reach = studentQuantile((1 + level) / 2, count - 1) * se
  return { value, interval: [value - reach, value + reach], clusters: count }
}
