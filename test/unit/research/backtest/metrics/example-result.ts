import { backtestResultOf, type RunLabel } from '../../../../../src/research/backtest/build-result.ts'
import type { BacktestResult } from '../../../../../src/research/backtest/result.ts'
import { metricWarnings } from '../../../../../src/research/backtest/metrics/measure.ts'
import { HOUR_MS } from '../../../../../src/base/time.ts'
import { position } from '../../../../../src/core/ledger/book/book.ts'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { MONDAY, trailRun, units, type TrailRun } from './trail-run.ts'

/** Twelve days with fills on both sides, prints, rivals and one synthetic fill in five. */
export function exampleRun(): TrailRun {
  const run = trailRun()
  run.quote(0, 60, 60)
  run.competition(0, 'bid', 58)
  for (let day = 0; day < 12; day++) {
    const at = 24 * day
    run.fill(at + 3, day % 3 === 0 ? 'bid' : 'ask', 10 + day, 60, { synthetic: day % 5 === 4 })
    run.competition(at + 4, 'bid', day % 4 === 0 ? null : 50 + day)
    run.print(at + 7, 2500 + ((day * 7) % 11) - 3)
    run.fill(at + 9, day % 2 === 0 ? 'bid' : 'ask', 20 - day, 60)
    run.quote(at + 10, day % 4 === 1 ? null : 60 - day, 60 + day)
  }
  run.end(12 * 24)
  return run
}

/** The result of a run as a backtest gives it. */
export function resultOfRun(run: TrailRun, hours: number, label: Partial<RunLabel> = {}): BacktestResult {
  const metrics = run.trail.metrics()
  const { bid, ask } = metrics.fillsBySide
  return backtestResultOf(
    {
      from: MONDAY,
      to: MONDAY + hours * HOUR_MS,
      events: 1_234_567,
      fills: bid + ask,
      read: { rows: 1_234_567, fills: 0 },
      syntheticFills: metrics.syntheticFills,
      rejected: 0,
      quoteUpdates: 13,
      midsAccepted: 0,
      elapsedMs: 123.44,
      readMs: 45.6,
      book: run.book,
      staleUsd: 0n,
      suspension: null,
      fairValueSource: null,
      clamps: [],
      fallback: null,
      opening: { ...zeroAmounts(), NTZS: units(1_000_000), USDC: units(400) },
      held: position(run.book),
      digest: 'ab'.repeat(32),
      warnings: [],
    },
    metrics,
    {
      strategy: 'inventory-skew',
      params: { halfSpreadBps: 60, tiers: [1, 2] },
      fillModel: 'thinned',
      seed: 7,
      variantsTried: 3,
      warnings: metricWarnings(metrics),
      ...label,
    },
  )
}
