import { windowOf } from '../options.ts'
import { type StrategyWatch, UNWATCHED } from '../apart/watch-strategy.ts'
import { explainWindow } from './tape-window.ts'
import { alignColumns } from '../output/tables.ts'
import type { FillModelName } from '../../backtest/fill-models/fill-model.ts'
import type { BacktestResult } from '../../backtest/result.ts'
import type { Ms } from '../../base/time.ts'
import type { Changes } from '../../config/load/changes.ts'
import { backtestDefaults, type BacktestDone, type BacktestJob, runBacktestJob } from './backtest/job.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { quoteAgreement, type QuotePoint } from './parity/agreement.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { withJournal, type Journal } from '../journal/journal.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { type ComparedRun, SIDE_BY_SIDE } from '../../report/comparison/compared-run.ts'
import type { comparisonPage } from '../../report/comparison/comparison-page.ts'
import { compareRuns } from '../../report/comparison/compare-runs.ts'
import { writeTextAtomically } from '../output/write-file.ts'
import { dailyRows } from '../../backtest/metrics/daily-rows.ts'

export type WhatifOptions = OutputFormat & {
  readonly store: string
  readonly config: string
  readonly fills?: FillModelName
  readonly from?: Ms
  readonly to?: Ms
  readonly seed?: number
  readonly report?: string
  /** Set on top of the file, by dotted path: what an assistant asks about. */
  readonly changes?: Changes
}

/** What another configuration would have done with what the position saw, before it is reloaded. */
export async function whatif(options: WhatifOptions, watch: StrategyWatch = UNWATCHED): Promise<void> {
  // Loaded before a strategy locks this thread down.
  const page =
    options.report === undefined
      ? null
      : (await import('../../report/comparison/comparison-page.ts')).comparisonPage
  const loaded = await watch.loading(() =>
    loadOrExplain(options.config, options, {
      offline: true,
      changes: options.changes ?? {},
      strategy: 'load',
    }),
  )
  if (loaded === null) return
  const wanted = { ...loaded, strategy: watch.watched(loaded.strategy) }
  const use = (journal: Journal): Promise<void> => compare(journal, wanted, options, page)
  await withJournal(options.store, options.config, options, use, watch)
}

/** Code is journalled by its hash alone. */
function codeWarnings({ config: { codeChanged, strategy } }: Journal): readonly string[] {
  if (!codeChanged) return []
  return [
    `the running column uses today's code of ${strategy.use}, because the code that ran is gone; to compare the two, restore the old file and name the new one in --config`,
  ]
}

type Tried = {
  readonly done: BacktestDone
  readonly result: BacktestResult
  readonly quotes: readonly QuotePoint[]
  readonly endsAt: Ms
}

async function compare(
  journal: Journal,
  wanted: LoadedConfig,
  options: WhatifOptions,
  page: typeof comparisonPage | null,
): Promise<void> {
  const source = journal.tape.source(windowOf(options))
  const fills = options.fills ?? wanted.backtest.fills
  const seed = options.seed ?? wanted.backtest.seed
  // One calibration for both: the takers are the same whatever each configuration believes of them.
  const learned = (wanted.core.calibration ?? journal.config.core.calibration)?.learned
  const common = {
    source,
    fills,
    seed,
    settings: wanted.backtest,
    toleranceBps: wanted.venue.toleranceBps,
    ...(learned === undefined ? {} : { learned }),
  }
  const before = await run({ ...backtestDefaults(journal.config), ...common })
  if (typeof before === 'string') {
    const why = await explainWindow(before, windowOf(options), journal.tape.source({}))
    return fail(options, EXIT_CODE.failed, why)
  }
  const { core, strategy } = wanted
  const after = await run({
    ...backtestDefaults(journal.config),
    ...common,
    core,
    strategy,
    variantsTried: 2,
  })
  if (typeof after === 'string') return fail(options, EXIT_CODE.failed, after)
  const agreement = quoteAgreement(
    before.quotes,
    after.quotes,
    Date.parse(before.result.from),
    Math.min(before.endsAt, after.endsAt),
  )
  const data = {
    running: before.result,
    wanted: after.result,
    quotes: { ...agreement, firstDifference: firstDifference(before.quotes, after.quotes) },
    warnings: [...codeWarnings(journal), ...journal.replayed.warnings],
  }
  if (options.report !== undefined && page !== null) {
    const compared = compareRuns(comparedOf('running', before), comparedOf('wanted', after))
    if (!compared.ok) return fail(options, EXIT_CODE.failed, compared.error)
    const comparison = { ...compared.value, warnings: [...data.warnings, ...compared.value.warnings] }
    const written = await writeTextAtomically(options.report, page(comparison, ['running', 'wanted']))
    if (!written.ok) return fail(options, EXIT_CODE.failed, written.error)
  }
  print(options, textOf(data), data)
}

function comparedOf(name: string, { done: { result, trail, configuration } }: Tried): ComparedRun {
  return { name, result, daily: dailyRows(trail.days()), configuration }
}

async function run(job: Omit<BacktestJob, 'listener'>): Promise<Tried | string> {
  const quotes: QuotePoint[] = []
  let endsAt = 0
  const done = await runBacktestJob({
    ...job,
    listener: {
      quote: (t, bidBps, askBps) => void quotes.push({ t, bidBps, askBps }),
      end: (t) => {
        endsAt = t
      },
    },
  })
  return done.ok ? { done: done.value, result: done.value.result, quotes, endsAt } : done.error
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

function textOf({
  running,
  wanted,
  quotes,
  warnings,
}: {
  readonly running: BacktestResult
  readonly wanted: BacktestResult
  readonly quotes: { readonly sameShare: number | null; readonly firstDifference: string | null }
  readonly warnings: readonly string[]
}): string {
  const cells = [
    ['', 'running', 'wanted'],
    ...SIDE_BY_SIDE.map(([label, of]) => [label, of(running), of(wanted)]),
  ]
  const table = alignColumns(cells, (column) => column === 0, '   ')
  const all = [...new Set([...warnings, ...running.warnings, ...wanted.warnings])]
  const same =
    quotes.sameShare === null
      ? 'never both there'
      : `equal ${(100 * quotes.sameShare).toFixed(1)} % of the time`
  const first = quotes.firstDifference === null ? '' : `, first different at ${quotes.firstDifference}`
  return [
    ...all.map((warning) => `warning: ${warning}`),
    `${running.from} to ${running.to}, fill model ${running.fillModel}`,
    ...table,
    `quotes: ${same}${first}`,
  ].join('\n')
}
