import type { VariantJob, VariantResult } from '../../sweep/variant-job.ts'
import { ok, type Result } from '../../../base/result.ts'
import { loadConfig } from '../../../daemon/config/load/load-config.ts'
import { strategiesFolder } from '../../../daemon/runtime/position/strategy-registry.ts'
import { openTape, rememberTape } from '../../../store/tape/folder/open-tape.ts'
import type { TapeSource } from '../../../store/tape/model/batch.ts'
import { type StrategyWatch, UNWATCHED } from '../apart/watch-strategy.ts'
import { runBacktestJob } from '../backtest/backtest-job.ts'
import { metricsOf } from '../../sweep/results/variant-metrics.ts'
import { variantChanges } from '../../sweep/variant.ts'
import { problemTexts } from './check-variants.ts'

/** About 100 MB; longer tapes are reread for each variant. */
const REMEMBERED_ROWS = 4_000_000

/** Runs variants one at a time, on a tape that is read once if it fits in memory. */
export function createVariantRunner(
  watch: StrategyWatch = UNWATCHED,
): (job: VariantJob) => Promise<Result<VariantResult, string>> {
  let tape: { readonly key: string; readonly source: TapeSource } | null = null

  function tapeOf({ tapePath, window }: VariantJob): Result<TapeSource, string> {
    const key = JSON.stringify([tapePath, window])
    if (tape?.key === key) return ok(tape.source)
    const opened = openTape(tapePath, { window, standing: true })
    if (!opened.ok) return opened
    const source = rememberTape(opened.value, REMEMBERED_ROWS)
    tape = { key, source }
    return ok(source)
  }

  return async (job) => {
    const source = tapeOf(job)
    return source.ok ? runVariant(job, source.value, watch) : source
  }
}

async function runVariant(
  job: VariantJob,
  source: TapeSource,
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
  const done = await runBacktestJob({
    core: config.core,
    strategy: watch.watched(config.strategy),
    settings: job.allowSkipped === true ? { ...config.backtest, maxSkippedShare: 1 } : config.backtest,
    toleranceBps: config.venue.toleranceBps,
    source,
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
