import { studentQuantile } from '../../../core/models/distributions.ts'
import { holm } from '../../models/statistics/many-comparisons.ts'
import { meanOf, pairedDifference } from '../../models/statistics/paired-difference.ts'

/** A strategy and its opponent in a market. */
type RegretCase = {
  readonly market: string
  readonly isDevelopment: boolean
  readonly strategy: string
  readonly baseline: string
  /** Parameters chosen for the baseline. */
  readonly params: string
  readonly tunedIn: string
}

/** The PnL less that of the opponent, USD per 90 days, paired by seed. */
export type RegretCell = RegretCase & {
  readonly seeds: number
  /** PnL of the best baseline tuned in the market. */
  readonly bestUsd: number
  readonly mean: number
  readonly se: number
  /** Lower one-sided 95 % bound of the difference; the cell passes above -allowedUsd. */
  readonly lowerUsd: number
  readonly allowedUsd: number
  readonly passes: boolean
  /** One-sided p of being better, adjusted for the whole table (Holm). */
  readonly betterHolm: number
}

/** PnL by seed: of the strategy, of its opponent and of the best baseline. */
export type Sample = RegretCase & Readonly<Record<'ours' | 'theirs' | 'best', readonly number[]>>

const CONFIDENCE = 0.95

/** Returns the regret that passes: 5 % of the best baseline's PnL, at least 75 USD. */
function allowedOf(bestUsd: number): number {
  return Math.max(0.05 * bestUsd, 75)
}

/** Returns the number of seeds after which the error of the difference is a third of the allowed regret. */
export function seedsNeeded({ ours, theirs, best }: Pick<Sample, 'ours' | 'theirs' | 'best'>): number {
  const { sdPaired } = pairedDifference(ours, theirs)
  return Math.ceil(((3 * sdPaired) / allowedOf(meanOf(best).mean)) ** 2)
}

/** Returns the cells, worst lower bound first. */
export function regretCells(samples: readonly Sample[]): readonly RegretCell[] {
  const cells = samples.map(({ ours, theirs, best, ...names }) => {
    const { mean, se, p } = pairedDifference(ours, theirs)
    const bestUsd = meanOf(best).mean
    const allowedUsd = allowedOf(bestUsd)
    const lowerUsd = mean - studentQuantile(CONFIDENCE, ours.length - 1) * se
    const betterHolm = mean > 0 ? p / 2 : 1 - p / 2
    const passes = lowerUsd > -allowedUsd
    return { ...names, seeds: ours.length, bestUsd, mean, se, lowerUsd, allowedUsd, passes, betterHolm }
  })
  const adjusted = holm(cells.map(({ betterHolm }) => betterHolm))
  return cells
    .map((cell, index) => ({ ...cell, betterHolm: adjusted[index] ?? 1 }))
    .toSorted((a, b) => a.lowerUsd - b.lowerUsd)
}
