import type { DayRow } from '../../backtest/metrics/daily.ts'
import type { BacktestResult } from '../../backtest/result.ts'
import { HOUR_MS } from '../../../base/time.ts'
import { quantile } from '../../../core/models/sample-statistics.ts'
import type { VariantMetrics } from '../search/objectives.ts'

/** Fields of a result that describe the run and are not metrics. */
const NO_METRICS = new Set([
  'params',
  'opening',
  'finalBalances',
  'seed',
  'elapsedMs',
  'eventsPerSecond',
  'readMs',
  'suspension',
])
/** A metric that only suspended variants have. */
export const FILLS_BEFORE_SUSPENSION = 'suspension.fillsBefore'
const DECIMAL = /^-?\d+(\.\d+)?$/

/** Ignore a shorter first or last day; it would look like a quiet day. */
const SHORTEST_DAY_MS = 12 * HOUR_MS

/**
 * Returns every figure of a result by its path (`edgeBps.mean`), and some by name: `q05LessHoldingUsd` and
 * `meanLessHoldingUsd` of the daily PnL less holding, `maxDrawdownUsd`, `timeOneSided` (share of the time),
 * `fillsADay`. Null = too little data.
 */
export function metricsOf(result: BacktestResult, days: readonly DayRow[]): VariantMetrics {
  const lessHolding = days
    .filter(({ from, to }) => to - from >= SHORTEST_DAY_MS)
    .map(({ lessHoldingUsd }) => lessHoldingUsd)
    .toSorted((a, b) => a - b)
  const metrics: Record<string, number | null> = {}
  gather(metrics, '', result)
  return {
    ...metrics,
    q05LessHoldingUsd: lessHolding.length === 0 ? null : quantile(lessHolding, 0.05),
    meanLessHoldingUsd:
      lessHolding.length === 0 ? null : lessHolding.reduce((sum, usd) => sum + usd, 0) / lessHolding.length,
    maxDrawdownUsd: result.maxDrawdown.usd,
    timeOneSided: result.inventory.timeAtLimit,
    fillsADay: result.days === 0 ? null : result.fills / result.days,
    ...(result.suspension === null ? {} : { [FILLS_BEFORE_SUSPENSION]: result.suspension.fillsBefore }),
  }
}

function gather(into: Record<string, number | null>, path: string, part: object): void {
  for (const [key, value] of Object.entries(part) as (readonly [string, unknown])[]) {
    if (path === '' && NO_METRICS.has(key)) continue
    const name = path === '' ? key : `${path}.${key}`
    if (value === null || (typeof value === 'number' && Number.isFinite(value))) into[name] = value
    else if (typeof value === 'string' && DECIMAL.test(value)) into[name] = Number(value)
    else if (typeof value === 'object' && !Array.isArray(value)) gather(into, name, value)
  }
}
