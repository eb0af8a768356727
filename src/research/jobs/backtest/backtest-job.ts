import type { calibrateTape } from '../../calibration/calibrate.ts'
import { horizonsOf } from '../../../core/models/markouts/horizons.ts'
import { intensityOf } from '../../backtest/fill-models/drawn-takers.ts'
import { createFillModel, needsCalibration } from '../../backtest/fill-models/create-fill-model.ts'
import type { FillModelName } from '../../../core/models/fill-models.ts'
import type { BacktestMetrics, BacktestResult } from '../../backtest/result.ts'
import { backtestResultOf } from '../../backtest/build-result.ts'
import { runBacktest } from '../../backtest/run.ts'
import type { BacktestOutcome, BacktestSettings } from '../../backtest/settings.ts'
import type { Recorder } from '../../backtest/recorder.ts'
import { createMetricsRecorder, type MetricsRecorder } from '../../backtest/metrics/create-recorder.ts'
import { metricWarnings } from '../../backtest/metrics/measure.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { type CoreConfig, DEFAULT_TOLERANCE_BPS } from '../../../core/engine/model/config.ts'
import type { Calibration, Intensity } from '../../../core/models/calibration.ts'
import { DAY_MS, type Ms } from '../../../base/time.ts'
import { formatBand, isWithinBand, type Rate } from '../../../base/money/rate.ts'
import { isoText } from '../../../base/text/times.ts'
import { createCalendar } from '../../../daemon/runtime/position/calendar.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import type { TapeSource } from '../../../store/tape/model/batch.ts'
import {
  judgeSkipped,
  tapeProblemTexts,
  tooManySkippedText,
} from '../../../store/tape/summary/tape-window.ts'
import { backtestSection } from '../../../daemon/config/schema/research.ts'
import { type OwnColumns, ownColumns } from './own-data.ts'
import { type ConfigurationRows, configurationRows } from '../../backtest/configuration-rows.ts'

export type BacktestJob = {
  readonly core: CoreConfig
  readonly strategy: LoadedStrategy
  /** Evaluates the code of the strategy anew, for another run over the same market; absent = there is only one. */
  readonly renew?: () => Promise<Result<LoadedStrategy, string>>
  readonly settings: LoadedConfig['backtest'] & Pick<BacktestSettings, 'refills'>
  readonly toleranceBps: number
  /** The columns of `settings.data`; absent = they are read. */
  readonly own?: OwnColumns | null
  readonly source: TapeSource
  /** The same without repetitions, if many backtests run over it. */
  readonly changes?: TapeSource
  readonly fills: FillModelName
  readonly seed: number
  /** The calibration of takers; by default the configured one. */
  readonly learned?: Calibration
  /** Calibrates on the tape if the fill model needs it and nothing is configured; absent = anew in each run. */
  readonly calibrate?: typeof calibrateTape
  /** Whether to draw A and k with the seed, for replicates. */
  readonly draws: boolean
  readonly variantsTried: number
  /** Receives the outcome before it becomes a result. */
  readonly onOutcome?: (outcome: BacktestOutcome) => void
  /** Receives every call that the recorder of metrics receives. */
  readonly listener?: Partial<Recorder>
}

export type BacktestDone = {
  readonly result: BacktestResult
  readonly recorder: MetricsRecorder
  /** Intensity for both sides together; null = unknown. */
  readonly law: Intensity | null
  readonly configuration: ConfigurationRows
}

/** Runs one backtest from a loaded configuration. */
export async function runBacktestJob(job: BacktestJob): Promise<Result<BacktestDone, string>> {
  const { strategy, settings, source, changes = source, fills, seed, toleranceBps } = job
  const core = { ...job.core, rfq: null }
  const own = job.own === undefined ? await ownColumns(settings) : ok(job.own)
  if (!own.ok) return own
  const known = await calibrationFor(job)
  const { learned = core.calibration?.learned } = job
  const expectedBy = known.calibration ?? learned ?? null
  const law = expectedBy === null ? null : intensityOf(expectedBy)
  const recorder = createMetricsRecorder({
    seed,
    target: core.inventory.target,
    toleranceBps,
    law,
    variantsTried: job.variantsTried,
    horizons: horizonsOf(settings),
    ...(core.inventory.capitalCost === undefined ? {} : { capitalCost: core.inventory.capitalCost }),
  })
  const outcome = await runBacktest({
    core,
    strategy,
    calendar: createCalendar(),
    data: own.value?.at,
    source: changes,
    fills: createFillModel({ name: fills, seed, calibration: known.calibration, draws: job.draws }),
    recorder: job.listener === undefined ? recorder : both(recorder, job.listener),
    settings: { ...settings, toleranceBps },
  })
  if (!outcome.ok) return err([outcome.error, ...tapeProblemTexts(source.problems())].join('\n'))
  job.onOutcome?.(outcome.value)
  const metrics = recorder.metrics()
  const { maxSkippedShare } = settings
  const skipped = judgeSkipped(source.problems(), outcome.value.read, maxSkippedShare)
  if (skipped.isTooMany) return err(tooManySkippedText(skipped.warning, maxSkippedShare))
  const first = await corridorWarnings(job, metrics)
  const warned = { ...outcome.value, warnings: [...first, ...outcome.value.warnings] }
  const result = backtestResultOf(warned, metrics, {
    strategy: strategy.use,
    params: strategy.params,
    fillModel: fills,
    seed,
    variantsTried: job.variantsTried,
    skipped: skipped.warning,
    warnings: [
      ...custodyWarnings(job),
      ...known.warnings,
      ...overlapWarnings(learned, outcome.value),
      ...tapeProblemTexts(source.problems()),
      ...metricWarnings(metrics),
      ...fillModelWarnings(fills, metrics),
    ],
  })
  const configuration = configurationRows({
    core,
    settings: { ...settings, data: own.value?.sha256 ?? null },
    toleranceBps,
  })
  return ok({ result, recorder, law: expectedBy?.both ?? null, configuration })
}

/** Runs a job once more. Variables of the strategy's file must not know what an earlier run saw of the market's future. */
export async function runBacktestAgain(job: BacktestJob): Promise<Result<BacktestDone, string>> {
  const renewed = await job.renew?.()
  if (renewed?.ok === false) return renewed
  return runBacktestJob(renewed === undefined ? job : { ...job, strategy: renewed.value })
}

/** Nothing is quoted from a mid outside the corridor. Reads the tape again if the corridor ever bound. */
async function corridorWarnings(
  { core, source }: BacktestJob,
  { timeBound }: BacktestMetrics,
): Promise<readonly string[]> {
  const { priceCorridor: corridor } = core.risk
  if (corridor === null || !timeBound.some(({ name }) => name === 'price-corridor')) return []
  let [mids, outside] = [0, 0]
  let [min, max]: [Rate | null, Rate | null] = [null, null]
  for await (const { rates } of source.batches()) {
    for (const index of rates.mid) {
      const mid = rates.mids[index]!
      mids += 1
      if (!isWithinBand(corridor, mid)) outside += 1
      if (min === null || mid < min) min = mid
      if (max === null || mid > max) max = mid
    }
  }
  if (min === null || max === null || 2 * outside <= mids) return []
  const share = outside === mids ? 'every mid is' : `${outside} of ${mids} mids are`
  return [
    `${share} outside risk.priceCorridor (${formatBand(corridor)}), and nothing is quoted there: the mids of the tape are ${formatBand({ min, max })} TZS per USD; set risk.priceCorridor to a range that holds them`,
  ]
}

/** A tape has the pool's trades and no chain. */
function custodyWarnings({ core }: BacktestJob): string[] {
  return core.rfq === null
    ? []
    : ['signed orders are not simulated: the backtest ignores rfq and quotes the spread with pooled capital']
}

/** A calibration that was made from the tested days has seen the takers that it is tested on. */
function overlapWarnings(
  learned: Calibration | undefined,
  { from, to }: Pick<BacktestOutcome, 'from' | 'to'>,
): string[] {
  if (learned === undefined) return []
  const shared = Math.min(to, learned.to) - Math.max(from, learned.from)
  if (shared <= 0) return []
  const days = (ms: Ms) => (ms / DAY_MS).toFixed(1)
  const made = `${isoText(learned.from).slice(0, 10)} to ${isoText(learned.to).slice(0, 10)}`
  return [
    `the calibration was made from ${made}, and ${days(shared)} of the ${days(to - from)} days tested are within it: it has seen what it is tested on; test later days, or calibrate on earlier ones`,
  ]
}

function fillModelWarnings(
  model: FillModelName,
  { fillsBySide, bestShare: { bid, ask } }: BacktestMetrics,
): string[] {
  const isUntraded = fillsBySide.bid + fillsBySide.ask === 0 && model !== 'simulated'
  const isAlone = model !== 'recorded' && bid === null && ask === null
  return [
    ...(isUntraded
      ? [
          `the fill model ${model} trades the fills of the tape; where it has none, --fills simulated draws takers`,
        ]
      : []),
    ...(isAlone
      ? [`the tape shows no other provider: with the fill model ${model} no taker goes to one`]
      : []),
  ]
}

type Known = { readonly calibration: Calibration | null; readonly warnings: readonly string[] }

/** Returns the calibration; a fill model that needs one but has none uses the tape's own, with a warning. */
async function calibrationFor({
  core,
  fills,
  source,
  settings,
  toleranceBps,
  seed,
  calibrate,
  learned = core.calibration?.learned,
}: BacktestJob): Promise<Known> {
  if (!needsCalibration(fills)) return { calibration: null, warnings: [] }
  if (learned !== undefined) return { calibration: learned, warnings: [] }
  const calibrateNow = calibrate ?? (await import('../../calibration/calibrate.ts')).calibrateTape
  const calibration = await calibrateNow(source, {
    toleranceBps,
    seed,
    protocolFeeBps: core.fees.protocolFeeBps,
    fairValue: settings.fairValue,
  })
  const same = `the fill model ${fills} was calibrated on the same tape; name another calibration in the configuration`
  return { calibration, warnings: [same, ...calibration.warnings] }
}

/** Returns a recorder that also calls the listener. */
function both(recorder: Recorder, listener: Partial<Recorder>): Recorder {
  type Call = (...facts: unknown[]) => void
  const joined = Object.entries(listener).map(([name, take]) => {
    const own = recorder[name as keyof Recorder] as Call | undefined
    return [
      name,
      (...facts: unknown[]) => {
        own?.(...facts)
        ;(take as Call)(...facts)
      },
    ]
  })
  const { marks, ...others } = recorder
  const isMarked = listener.mark !== undefined || marks === undefined
  return { ...others, ...(isMarked ? {} : { marks }), ...(Object.fromEntries(joined) as Partial<Recorder>) }
}

/** Returns the backtest settings for a journal: its own, and the configuration's defaults for the rest. */
export function backtestDefaults({
  core,
  strategy,
}: Pick<LoadedConfig, 'core' | 'strategy' | 'file'>): Omit<BacktestJob, 'source' | 'fills' | 'listener'> {
  const settings = backtestSection.parse({})
  return {
    core,
    strategy,
    settings,
    toleranceBps: core.toleranceBps ?? DEFAULT_TOLERANCE_BPS,
    seed: settings.seed,
    draws: false,
    variantsTried: 1,
  }
}
