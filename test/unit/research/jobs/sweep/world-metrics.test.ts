import { expect, test } from 'vitest'
import { worldMetrics } from '../../../../../src/research/jobs/sweep/world-metrics.ts'
import type { WorldResult } from '../../../../../src/research/scenarios/play/participant.ts'

const world = (dailyUsd: readonly number[], drawdownUsd: number, emptyShare: number): WorldResult => ({
  pnlUsd: dailyUsd.reduce((sum, usd) => sum + usd, 0),
  retailUsd: 40,
  informedUsd: -10,
  restockingUsd: -5,
  carryUsd: 1,
  dailyUsd,
  drawdownUsd,
  emptyShare,
  inventoryUsd: 0,
  fills: { retail: 6, informed: 2 },
  tradedUsd: 0,
  restockings: 0,
})

test('the metrics of worlds are quantile and mean over all days, and means over the worlds of the rest', () => {
  const days = Array.from({ length: 101 }, (_, day) => day)
  expect(worldMetrics([world(days.slice(0, 50), 10, 0.1), world(days.slice(50), 30, 0.3)], 50)).toEqual({
    q05LessHoldingUsd: 5,
    meanLessHoldingUsd: 50,
    maxDrawdownUsd: 20,
    timeOneSided: 0.2,
    fillsADay: 8 / 50,
    pnlUsd: 2525,
    retailUsd: 40,
    informedUsd: -10,
    carryUsd: 1,
    restockingUsd: -5,
  })
})
