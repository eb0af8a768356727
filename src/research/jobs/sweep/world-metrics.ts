import { quantile } from '../../../core/models/sample-statistics.ts'
import type { WorldResult } from '../../scenarios/play/participant.ts'
import type { VariantMetrics } from '../../sweep/search/objectives.ts'

/**
 * What a variant brought in the worlds of one scenario, by name. `q05LessHoldingUsd` and `meanLessHoldingUsd` are of all days of
 * all worlds, `fillsADay` too; the others are means over the worlds: `timeOneSided` a share of the time, money in dollars a
 * world, `maxDrawdownUsd` the deepest fall within one. The PnL of a world is against holding..
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
