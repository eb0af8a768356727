import { createFillModel } from '../../backtest/fill-models/create-fill-model.ts'
import { createMetricsRecorder } from '../../backtest/metrics/create-recorder.ts'
import { wholeDays, type WholeDay } from '../../backtest/metrics/daily.ts'
import type { Recorder } from '../../backtest/recorder.ts'
import { runBacktest } from '../../backtest/run.ts'
import type { BacktestOutcome } from '../../backtest/settings.ts'
import type { Ms } from '../../../base/time.ts'
import { ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import type { CoreConfig } from '../../../core/engine/model/config.ts'
import type { Calibration } from '../../../core/models/calibration.ts'
import { ASSETS, formatAmount } from '../../../base/money/asset.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import type { TapeSource } from '../../../store/tape/model/batch.ts'
import type { ShadowRunView } from '../../../daemon/view/challenger-view.ts'
import { createCalendar } from '../../../daemon/runtime/position/calendar.ts'

/** Input of both strategies: the same recording, intensity and seed. */
export type ShadowMarket = {
  readonly core: CoreConfig
  readonly source: TapeSource
  readonly calibration: Calibration
  readonly settings: LoadedConfig['backtest']
  readonly toleranceBps: number
  /** Draws A and k of the takers from their posterior with the seed; absent = the point estimates. */
  readonly draws?: boolean
}

export type ShadowRun = {
  readonly shown: ShadowRunView
  readonly days: readonly WholeDay[]
  readonly suspension: { readonly since: Ms; readonly why: string } | null
  readonly warnings: readonly string[]
  readonly from: number
  readonly to: number
}

/**
 * Runs a strategy in the simulated venue over a recording, through the daemon's own core: its spread keeps or thins the
 * recorded takers, each with the same reservation spread for every strategy. Source: quant.md section 5.
 */
export async function runShadow(
  market: ShadowMarket,
  strategy: LoadedStrategy,
): Promise<Result<ShadowRun, string>> {
  const { source, calibration, settings, toleranceBps, draws = false } = market
  const core = shadowCore(market.core, strategy)
  const recorder = createMetricsRecorder({
    seed: settings.seed,
    target: core.inventory.target,
    toleranceBps,
    law: null,
    variantsTried: 1,
    horizons: { afterMs: [], afterUpdates: [] },
  })
  const quotes = watchQuotes(recorder)
  const fills = createFillModel({ name: 'thinned', seed: settings.seed, calibration, draws })
  const outcome = await runBacktest({
    core,
    strategy,
    calendar: createCalendar(),
    source,
    fills,
    recorder: quotes.recorder,
    settings: { ...settings, opening: null, toleranceBps },
  })
  if (!outcome.ok) return outcome
  const { suspension, warnings, from, to } = outcome.value
  const metrics = recorder.metrics()
  const days = recorder.days()
  const last = days.at(-1)
  return ok({
    shown: {
      ...shownOf(outcome.value),
      quote: quotes.last(),
      turnoverUsd: Number(metrics.turnoverUsd),
      edgeUsd: last?.termsUsd.edge ?? 0,
      edgeBps: metrics.edgeBps.mean,
      markoutBps: metrics.halfSpreadBps.realised,
      lessHoldingUsd: Number(metrics.pnlLessHoldingUsd),
    },
    days: wholeDays(days),
    suspension,
    warnings,
    from,
    to,
  })
}

/** A dry run decides without quoting; in the simulated venue both quote. */
function shadowCore(core: CoreConfig, { use, params, sourceHash }: LoadedStrategy): CoreConfig {
  return { ...core, mode: 'live', rfq: null, strategy: { use, params, sourceHash } }
}

function shownOf({ fills, syntheticFills, quoteUpdates, held, digest }: BacktestOutcome) {
  const amounts = Object.fromEntries(ASSETS.map((asset) => [asset, formatAmount(held[asset])]))
  return { fills, syntheticFills, quoteUpdates, held: amounts, digest }
}

function watchQuotes(recorder: Recorder): {
  readonly recorder: Recorder
  readonly last: () => ShadowRunView['quote']
} {
  let last: ShadowRunView['quote'] = null
  return {
    recorder: {
      ...recorder,
      quote(at, bidBps, askBps, request) {
        last = { at, bidBps, askBps }
        recorder.quote(at, bidBps, askBps, request)
      },
    },
    last: () => last,
  }
}
