import { studentQuantile } from '../../../core/models/distributions.ts'
import type { Cluster, ClusteredRatio } from '../../../core/models/intervals.ts'

/** Number of updates over which the moves of a published mean are correlated. */
const LAGS = 3

/**
 * Returns sum / weight over overlapping windows, with a 90 % interval. `terms` are in time order, one per rate update: the
 * immediate edge and the number of the fills before it, and the effect of its move on the fills of all windows that contain
 * it. Each move counts once; counted per window, one-sided flow would look independent although it is not. Correlated moves
 * are weighted by a Bartlett kernel, with the quantile for its width and number of terms, at least Student's. The interval
 * is null if fewer than two terms have weight; the result is null if no term has. Source: Hodrick 1992 (1B); Newey, West
 * 1987; Kiefer, Vogelsang 2005, table 1.
 */
export function overlappingRatio(terms: readonly Cluster[]): ClusteredRatio | null {
  const weight = terms.reduce((total, term) => total + term.weight, 0)
  if (!(weight > 0)) return null
  const clusters = terms.filter((term) => term.weight > 0).length
  const value = terms.reduce((total, { sum }) => total + sum, 0) / weight
  if (clusters < 2) return { value, interval: null, clusters }
  const count = terms.filter((term) => term.weight > 0 || term.sum !== 0).length
  const lags = Math.min(LAGS, count - 1)
  const rest = Float64Array.from(terms, (term) => term.sum - value * term.weight)
  const se = Math.sqrt((count / (count - 1)) * longRunSum(rest, lags)) / weight
  const quantile = Math.max(studentQuantile(0.95, count - 1), bartlettQuantile((lags + 1) / count))
  return { value, interval: [value - quantile * se, value + quantile * se], clusters }
}

/** Returns the sum of squares and of products up to `lags` apart, with weights that fall to 0; never negative. */
function longRunSum(rest: Float64Array, lags: number): number {
  let total = 0
  for (let lag = 0; lag <= lags; lag++) {
    const weight = lag === 0 ? 1 : 2 * (1 - lag / (lags + 1))
    for (let i = lag; i < rest.length; i++) total += weight * rest[i]! * rest[i - lag]!
  }
  return Math.max(0, total)
}

/** The 95 % quantile of a t statistic whose Bartlett kernel is as wide as this share of its terms. */
function bartlettQuantile(share: number): number {
  return 1.6449 + 2.1859 * share + 0.3142 * share ** 2 - 0.3427 * share ** 3
}
