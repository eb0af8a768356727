import { quantile } from '../../../core/models/sample-statistics.ts'
import type { WorldResult } from '../../scenarios/play/participant.ts'
import type { VariantMetrics } from '../../sweep/search/objectives.ts'

/**
 * Returns the metrics of a variant in the worlds of one scenario, by name. `q05LessHoldingUsd`, `meanLessHoldingUsd` and
 * `fillsADay` cover all days of all worlds; the others are means over the worlds: `timeOneSided` is a share of the time,
 * money is in dollars per world, `maxDrawdownUsd` is the deepest fall within a world. PnL is less holding.
 */
export function worldMetrics(worlds: readonly WorldResult[], days: number): VariantMetrics {
  const daily = worlds.flatMap(({ dailyUsd }) => dailyUsd).toSorted((a, b) => a - b)
  const mean = (valueOf: (world: WorldResult) => number): number => meanOf(worlds.map(valueOf))
  return {
    q05LessHoldingUsd: quantile(daily, 0.05),
    meanLessHoldingUsd: meanOf(daily),
    maxDrawdownUsd: mean(({ drawdownUsd }) => drawdownUsd),
    timeOneSided: mean(({ emptyShare }) => emptyShare),
    fillsADay: mean(({ fills: { retail, informed } }) => retail + informed) / days,
    pnlUsd: mean(({ pnlUsd }) => pnlUsd),
    retailUsd: mean(({ retailUsd }) => retailUsd),
    informedUsd: mean(({ informedUsd }) => informedUsd),
    carryUsd: mean(({ carryUsd }) => carryUsd),
    restockingUsd: mean(({ restockingUsd }) => restockingUsd),
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
