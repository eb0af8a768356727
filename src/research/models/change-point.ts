import { solveDense } from '../../core/models/policy/dense-solve.ts'
import type { FactorDay, FactorFit } from './fit-factors.ts'

/** The 1 % point of the largest of all statistics between 15 and 85 % of the days. Source: Andrews 2003, doi:10.1111/1468-0262.00405. */
const SURE = 12.35
const TRIMMED = 0.15
/** A regime has at least this many days on either side of its change. */
const FEWEST_DAYS = 3

/**
 * Returns the first day after the most visible change of the takers' number or of k; null = no change. A score test of each day
 * against the fit without a change, so that a spread that moved on the same day cannot hide it. Days that scatter more than by chance
 * count less; their scatter is taken from one day to the next, which a change does not raise. Source: Andrews 1993,
 * doi:10.2307/2951764.
 */
export function changePoint({ days, information }: FactorFit): number | null {
  const scatter = dailyScatter(days)
  const least = Math.max(FEWEST_DAYS, Math.ceil(TRIMMED * days.length))
  let [largest, day]: [number, number | null] = [SURE, null]
  for (const which of [0, 1]) {
    const covariance = new Float64Array(Math.sqrt(information.length))
    let [error, variance] = [0, 0]
    for (const [i, each] of days.entries()) {
      if (i >= least && i <= days.length - least) {
        const explained = solveDense(information.slice(), covariance.slice())
        const left = variance - explained.reduce((sum, value, j) => sum + value * covariance[j]!, 0)
        const statistic = left > 1e-9 * variance ? error ** 2 / left / scatter : 0
        if (statistic > largest) [largest, day] = [statistic, each.day]
      }
      const change = each.changes[which]!
      error += change.error
      variance += change.variance
      change.covariance.forEach((value, j) => (covariance[j] = covariance[j]! + value))
    }
  }
  return day
}

/** Returns the variance of daily counts relative to a Poisson law, at least 1, from the differences of neighbouring days. */
function dailyScatter(days: readonly FactorDay[]): number {
  const errors = days.map(({ count, expected }) => (count - expected) / Math.sqrt(Math.max(expected, 1)))
  const squares = errors.slice(1).reduce((sum, error, i) => sum + (error - errors[i]!) ** 2, 0)
  return Math.max(1, squares / (2 * Math.max(1, errors.length - 1)))
}
