import { DAY_MS, type Ms } from '../../../src/base/time.ts'
import type { TriedVariant } from '../../../src/sweep/results/columns.ts'
import type { Changes } from '../../../src/sweep/variant.ts'

/** A variant with this daily PnL in dollars, from the epoch's first day plus `from` on. */
export function triedVariant(
  index: number,
  pnlUsd: readonly number[],
  from: Ms = 0,
  changes: Changes = {},
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
