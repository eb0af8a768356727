import type { FillModelName } from '../../../core/models/fill-models.ts'
import { needsCalibration } from '../../backtest/fill-models/create-fill-model.ts'
import { dailyRows } from '../../backtest/metrics/daily-rows.ts'
import type { BacktestResult } from '../../backtest/result.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import type { ComparedRun } from '../../report/comparison/compared-run.ts'
import type { TapeSource, TapeWindow } from '../../../store/tape/model/batch.ts'
import { explainWindow } from '../../../store/tape/summary/tape-window.ts'
import {
  backtestDefaults,
  type BacktestDone,
  type BacktestJob,
  runBacktestJob,
} from '../backtest/backtest-job.ts'
import { quoteAgreement, type QuoteAgreement, type QuotePoint } from './agreement.ts'
import type { Journal } from './read-journal.ts'

type WhatIfSettings = {
  readonly window: TapeWindow
  readonly fills?: FillModelName
  readonly seed?: number
  /** Receives the number of rows to read, and returns a meter of the rows that were read. */
  readonly meter?: (total: number) => {
    readonly add: (rows: number) => void
    readonly end: () => void
  }
}

/** Two runs over the market data of one journal. */
export type WhatIf = {
  readonly running: BacktestResult
  readonly wanted: BacktestResult
  readonly quotes: QuoteAgreement & { readonly firstDifference: string | null }
  readonly warnings: readonly string[]
  /** The two runs for a comparison. */
  readonly runs: readonly [ComparedRun, ComparedRun]
}

/** Runs the configuration in force and the `wanted` one over the journal's market data, against the same takers. */
export async function whatIf(
  journal: Journal,
  wanted: LoadedConfig,
  { window, meter, ...settings }: WhatIfSettings,
): Promise<Result<WhatIf, string>> {
  // Both runs share one calibration, so both meet the same takers.
  const learned = (wanted.core.calibration ?? journal.config.core.calibration)?.learned
  const fills = settings.fills ?? wanted.backtest.fills
  const tape = journal.tape.source(window)
  // Without a calibration both runs first make it from the tape.
  const readings = needsCalibration(fills) && learned === undefined ? 4 : 2
  const progress = meter?.(readings * tape.rows)
  const common = {
    ...backtestDefaults(journal.config),
    source: progress === undefined ? tape : countedTape(tape, progress.add),
    fills,
    seed: settings.seed ?? wanted.backtest.seed,
    settings: wanted.backtest,
    toleranceBps: wanted.venue.toleranceBps,
    ...(learned === undefined ? {} : { learned }),
  }
  const { core, strategy } = wanted
  const before = await runQuoted(common)
  const after = before.ok ? await runQuoted({ ...common, core, strategy, variantsTried: 2 }) : before
  progress?.end()
  if (!before.ok) return err(await explainWindow(before.error, window, journal.tape.source({})))
  if (!after.ok) return after
  const [first, second] = [before.value, after.value]
  const agreement = quoteAgreement(
    first.quotes,
    second.quotes,
    Date.parse(first.done.result.from),
    Math.min(first.endsAt, second.endsAt),
  )
  return ok({
    running: first.done.result,
    wanted: second.done.result,
    quotes: { ...agreement, firstDifference: firstDifference(first.quotes, second.quotes) },
    warnings: [...codeWarnings(journal), ...journal.replayed.warnings],
    runs: [comparedOf('running', first), comparedOf('wanted', second)],
  })
}

function countedTape(source: TapeSource, count: (rows: number) => void): TapeSource {
  return {
    problems: source.problems,
    async *batches() {
      for await (const batch of source.batches()) {
        yield batch
        count(batch.rows)
      }
    },
  }
}

/** The journal has only the code's hash. */
function codeWarnings({ config: { codeChanged, strategy } }: Journal): readonly string[] {
  if (!codeChanged) return []
  return [
    `the running column uses today's code of ${strategy.use}, because the code that ran is gone; to compare the two, restore the old file and name the new one in --config`,
  ]
}

type Tried = {
  readonly done: BacktestDone
  readonly quotes: readonly QuotePoint[]
  readonly endsAt: Ms
}

function comparedOf(name: string, { done: { result, recorder, configuration } }: Tried): ComparedRun {
  return { name, result, daily: dailyRows(recorder.days()), configuration }
}

/** Runs a backtest and returns it with all its quotes. */
export async function runQuoted(job: BacktestJob): Promise<Result<Tried, string>> {
  const quotes: QuotePoint[] = []
  let endsAt = 0
  const done = await runBacktestJob({
    ...job,
    listener: {
      ...job.listener,
      quote: (t, bidBps, askBps) => void quotes.push({ t, bidBps, askBps }),
      end: (t) => {
        endsAt = t
      },
    },
  })
  return done.ok ? ok({ done: done.value, quotes, endsAt }) : done
}

function firstDifference(before: readonly QuotePoint[], after: readonly QuotePoint[]): string | null {
  const index = before.findIndex((point, i) => {
    const other = after[i]
    return (
      other === undefined ||
      other.t !== point.t ||
      other.bidBps !== point.bidBps ||
      other.askBps !== point.askBps
    )
  })
  const at = index >= 0 ? before[index] : after[before.length]
  return at === undefined ? null : new Date(at.t).toISOString()
}
