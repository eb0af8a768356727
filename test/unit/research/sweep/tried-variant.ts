import { seededRandom } from '../../../../src/base/random.ts'
import { DAY_MS, type Ms } from '../../../../src/base/time.ts'
import {
  contestOf,
  type Ranking,
  rankVariants,
} from '../../../../src/research/sweep/ranking/rank-variants.ts'
import type { TriedVariant } from '../../../../src/research/sweep/variant-job.ts'
import type { VariantChanges } from '../../../../src/research/sweep/variant.ts'

/** A variant with this daily PnL in dollars, from the epoch's first day plus `from` on. */
export function triedVariant(
  index: number,
  pnlUsd: readonly number[],
  from: Ms = 0,
  changes: VariantChanges = {},
  lessHoldingUsd?: readonly number[],
): TriedVariant {
  return {
    variant: { index, label: `v${index}`, changes },
    result: {
      variant: index,
      from,
      to: from + pnlUsd.length * DAY_MS,
      pnlUsd: pnlUsd.reduce((sum, one) => sum + one, 0).toFixed(6),
      turnoverUsd: '0',
      fills: 0,
      syntheticFills: 0,
      rejected: 0,
      quoteUpdates: 0,
      maxDrawdownUsd: 0,
      digest: `d${index}`,
      daily: {
        day: pnlUsd.map((_, day) => from + day * DAY_MS),
        pnlUsd,
        ...(lessHoldingUsd === undefined ? {} : { lessHoldingUsd }),
        turnoverUsd: pnlUsd.map(() => 0),
        fills: pnlUsd.map(() => 0),
      },
      metrics: {},
      warnings: [],
      elapsedMs: 1,
    },
  }
}

/** The ranking of variants with these daily PnL, after earlier ones were tried. */
export const ranked = (
  series: readonly (readonly number[])[],
  earlier: readonly (readonly number[])[] = [],
  twins: readonly number[] = [],
): Ranking =>
  rankVariants(
    contestOf(series.map((pnl, index) => triedVariant(index, pnl))),
    { earlier: earlier.map((pnlUsd) => ({ pnlUsd })), twins: new Set(twins) },
    7,
  )

/** Days of uniform noise with this mean and standard deviation. */
export const noise = (label: string, days: number, mean: number, sd: number) => {
  const random = seededRandom(3, label)
  return Array.from({ length: days }, () => mean + sd * (random() - 0.5) * Math.sqrt(12))
}
