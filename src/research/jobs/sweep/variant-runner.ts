import type { VariantJob, VariantResult } from '../../sweep/variant-job.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { loadConfig } from '../../../daemon/config/load/load-config.ts'
import { strategiesFolder } from '../../../daemon/runtime/position/strategy-registry.ts'
import { openTape, rememberTape } from '../../../store/tape/folder/open-tape.ts'
import { withoutRepetitions } from '../../backtest/simulation/repetitions.ts'
import { type StrategyWatch, UNWATCHED } from '../apart/watch-strategy.ts'
import type { calibrateTape } from '../../calibration/calibrate.ts'
import { type BacktestJob, runBacktestJob } from '../backtest/backtest-job.ts'
import { ownColumns } from '../backtest/own-data.ts'
import { metricsOf } from '../../sweep/results/variant-metrics.ts'
import { variantChanges } from '../../sweep/variant.ts'
import { CHANGED, configIdentity, problemTexts } from './check-variants.ts'

/** About 100 MB. Of a longer tape only the changes are remembered, unless there are as many of them. */
const REMEMBERED_ROWS = 4_000_000

/** What variants share: the tape, and what is calibrated on it. */
type Market = Pick<BacktestJob, 'source'> & Required<Pick<BacktestJob, 'changes' | 'calibrate'>>

/** Runs variants one at a time, on a tape that is read once if it fits in memory. */
export function createVariantRunner(
  watch: StrategyWatch = UNWATCHED,
): (job: VariantJob) => Promise<Result<VariantResult, string>> {
  let last: { readonly key: string; readonly market: Market } | null = null

  function marketOf({ tapePath, window }: VariantJob): Result<Market, string> {
    const key = JSON.stringify([tapePath, window])
    if (last?.key === key) return ok(last.market)
    const opened = openTape(tapePath, { window, standing: true })
    if (!opened.ok) return opened
    const source = rememberTape(opened.value, REMEMBERED_ROWS)
    const changes = rememberTape(withoutRepetitions(source), REMEMBERED_ROWS)
    const market = { source, changes, calibrate: rememberCalibrations() }
    last = { key, market }
    return ok(market)
  }

  return async (job) => {
    const market = marketOf(job)
    return market.ok ? runVariant(job, market.value, watch) : market
  }
}

/** Calibrates once for the variants whose settings do not change it. */
function rememberCalibrations(): Market['calibrate'] {
  const made = new Map<string, ReturnType<typeof calibrateTape>>()
  return async (source, settings) => {
    const key = JSON.stringify(settings)
    const known = made.get(key)
    if (known !== undefined) return known
    const { calibrateTape } = await import('../../calibration/calibrate.ts')
    const calibration = calibrateTape(source, settings)
    made.set(key, calibration)
    return calibration
  }
}

async function runVariant(
  job: VariantJob,
  market: Market,
  watch: StrategyWatch,
): Promise<Result<VariantResult, string>> {
  const began = performance.now()
  const { configFile, variant, fills, seed } = job
  const loaded = await watch.loading(() =>
    loadConfig(configFile, process.env, {
      strategiesFolder: strategiesFolder(),
      offline: true,
      evaluatesHere: true,
      changes: variantChanges(variant.changes),
    }),
  )
  if (!loaded.ok) return { ok: false, error: problemTexts(loaded.error).join('\n') }
  const config = loaded.value
  const own = await ownColumns(config.backtest)
  if (!own.ok) return own
  if (configIdentity(config, own.value) !== job.config) return err(CHANGED)
  const done = await runBacktestJob({
    core: config.core,
    strategy: watch.watched(config.strategy),
    settings: job.allowSkipped === true ? { ...config.backtest, maxSkippedShare: 1 } : config.backtest,
    toleranceBps: config.venue.toleranceBps,
    own: own.value,
    ...market,
    fills,
    seed,
    draws: false,
    variantsTried: 1,
  })
  if (!done.ok) return done
  const { result, recorder } = done.value
  return ok({
    variant: variant.index,
    from: Date.parse(result.from),
    to: Date.parse(result.to),
    pnlUsd: result.pnl.usd.total,
    turnoverUsd: result.turnoverUsd,
    fills: result.fills,
    syntheticFills: result.syntheticFills,
    rejected: result.rejected,
    quoteUpdates: result.quoteUpdates,
    maxDrawdownUsd: result.maxDrawdown.usd,
    digest: result.digest,
    daily: recorder.daily(),
    metrics: metricsOf(result, recorder.days()),
    // The location of the tape is not part of the result.
    warnings: result.warnings.map((warning) => warning.replaceAll(job.tapePath, 'tape')),
    elapsedMs: performance.now() - began,
  })
}
