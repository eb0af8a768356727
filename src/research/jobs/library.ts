import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { z } from 'zod'
import { invariant, type Result } from '../../base/result.ts'
import type { Calibration } from '../../core/models/calibration.ts'
import { horizonsOf } from '../../core/models/markouts/horizons.ts'
import type { LoadedStrategy, StrategyDefinition } from '../../core/strategy/define-strategy.ts'
import type { Changes } from '../../daemon/config/load/changes.ts'
import { loadConfig } from '../../daemon/config/load/load-config.ts'
import { formatProblem } from '../../daemon/config/source/problem.ts'
import { strategiesFolder } from '../../daemon/runtime/position/strategy-registry.ts'
import { openTape, rememberTape } from '../../store/tape/folder/open-tape.ts'
import type { TapeSource, TapeWindow } from '../../store/tape/model/batch.ts'
import { createTradeList } from '../backtest/lists/trade-list.ts'
import { type DailyRow, dailyRows } from '../backtest/metrics/daily-rows.ts'
import type { PlotColumns } from '../backtest/metrics/series.ts'
import { type BacktestResult, unmeasuredWhy } from '../backtest/result.ts'
import { runBacktestJob } from './backtest/backtest-job.ts'
import { tradeColumns } from './backtest/list-columns.ts'
import { runCalibration } from './calibrate-tape.ts'

/** About 100 MB; longer tapes are read again by each run. */
export const REMEMBERED_ROWS = 4_000_000

/**
 * Opens a tape: a folder that `mizani record` wrote, a .jsonl or .parquet file, or a .csv file with the columns time and mid. The times
 * of the window are milliseconds since 1970. The first run that reads the whole tape keeps up to 4 million rows in memory. Throws if `path` is not a tape.
 */
export function loadTape(path: string, window: TapeWindow = {}): TapeSource {
  const isWrong = [window.from, window.to].some((t) => t !== undefined && !Number.isFinite(t))
  if (isWrong) throw new Error('the times of a window are milliseconds since 1970, such as Date.parse(text)')
  return rememberTape(valueOrThrow(openTape(path, { window, standing: true })), REMEMBERED_ROWS)
}

export type BacktestRequest<Params, State> = {
  readonly tape: TapeSource
  /** Its code runs in this process and is trusted. It does not wrap other strategies. */
  readonly strategy: StrategyDefinition<Params, State>
  /** Validated and completed by the strategy's own schema. */
  readonly params?: Readonly<Record<string, unknown>>
  /** A configuration file; its strategy and tape are replaced. Absent = the defaults of every key. */
  readonly config?: string
  /** Values that replace those of the configuration, by dotted path: `{ 'inventory.target': 0.5 }`. */
  readonly set?: Changes
  /** What a fill model other than `recorded` draws takers from; absent = that of the configuration, or of the tape. */
  readonly calibration?: Calibration
  /** Number of variants tried so far, by which the deflated Sharpe ratio is reduced; 1 by default. */
  readonly variantsTried?: number
}

/** A trade with the columns of `mizani backtest --trades`; `time` in milliseconds since 1970, exact numbers as decimal text. */
export type TradeRow = Readonly<Record<string, string | number | boolean | null>>

/** What `mizani backtest --json` prints, and its trades: plain data, which JSON and structured clones carry. */
export type LibraryBacktest = BacktestResult & {
  readonly daily: readonly DailyRow[]
  readonly trades: readonly TradeRow[]
  readonly plots: PlotColumns
}

/** JavaScript passes any key. */
const KEYS = ['tape', 'strategy', 'params', 'config', 'set', 'calibration', 'variantsTried']

/** Required keys of a configuration that a backtest does not use. */
const DEFAULTS = `name: backtest
venue: { baseUrl: http://127.0.0.1, apiKey: !env MIZANI_API_KEY }
strategy: { use: fixed-spread }
`

/**
 * Runs the daemon's own core with a strategy over a tape. Equal requests give equal digests. Throws if the configuration or the
 * parameters are invalid, the tape lacks what a backtest needs, or the strategy is suspended before its first fill.
 */
export async function backtest<Params, State>(
  request: BacktestRequest<Params, State>,
): Promise<LibraryBacktest> {
  const { tape, config: file, set = {}, calibration } = request
  const unknown = Object.keys(request).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) throw new Error(`backtest does not take ${unknown}, only ${KEYS.join(', ')}`)
  const loaded = await loadConfig(file ?? resolve('defaults'), process.env, {
    strategiesFolder: strategiesFolder(),
    offline: true,
    skipStrategy: true,
    changes: set,
    ...(file === undefined ? { texts: { file: DEFAULTS, defaults: null } } : {}),
  })
  if (!loaded.ok) throw new Error(loaded.error.map(formatProblem).join('\n'))
  const { core, venue, backtest: settings } = loaded.value
  const horizons = horizonsOf(settings)
  const columns = tradeColumns(horizons)
  const trades: TradeRow[] = []
  const done = await runBacktestJob({
    core,
    strategy: loadedStrategy(request),
    settings,
    toleranceBps: venue.toleranceBps,
    source: tape,
    fills: settings.fills,
    seed: settings.seed,
    ...(calibration === undefined ? {} : { learned: calibration }),
    draws: false,
    variantsTried: request.variantsTried ?? 1,
    listener: createTradeList(
      horizons,
      (trade) =>
        void trades.push(Object.fromEntries(columns.map(({ name, valueOf }) => [name, valueOf(trade)]))),
    ),
  })
  const { result, recorder } = valueOrThrow(done)
  const why = unmeasuredWhy(result)
  if (why !== null) throw new Error(why)
  return { ...result, daily: dailyRows(recorder.days()), trades, plots: recorder.plots() }
}

/** Returns the strategy with its parameters as the configuration would load it. */
function loadedStrategy<Params, State>({
  strategy,
  params = {},
}: BacktestRequest<Params, State>): LoadedStrategy {
  if (typeof strategy !== 'object')
    throw new Error('strategy must be what defineStrategy returns: import it from its file')
  invariant(
    strategy.inner === undefined,
    `the strategy ${strategy.name} wraps others; run it with mizani backtest`,
  )
  const parsed = strategy.params.safeParse(params)
  if (!parsed.success) throw new Error(`params of ${strategy.name}: ${z.prettifyError(parsed.error)}`)
  return {
    use: strategy.name,
    definition: strategy as StrategyDefinition<unknown, unknown>,
    params: parsed.data,
    inner: {},
    sourceHash: createHash('sha256').update(String(strategy.quote)).digest('hex'),
  }
}

type CalibrationTerms = { readonly toleranceBps?: number; readonly seed?: number }

/**
 * Calibrates takers and the mid from a tape: each figure with a 90 % interval, and warnings where the data is thin. The routing
 * tolerance is 5 bps and the seed 1 by default. Throws if too many rows cannot be read.
 */
export async function calibrate(tape: TapeSource, terms: CalibrationTerms = {}): Promise<Calibration> {
  return valueOrThrow(await runCalibration(tape, null, terms)).calibration
}

function valueOrThrow<Value>(result: Result<Value, string>): Value {
  if (result.ok) return result.value
  throw new Error(result.error)
}
