import { type StrategyWatch, UNWATCHED } from '../../research/jobs/apart/watch-strategy.ts'
import { windowOf } from '../../store/tape/summary/tape-window.ts'
import { alignColumns } from '../output/tables.ts'
import type { FillModelName } from '../../core/models/fill-models.ts'
import type { Ms } from '../../base/time.ts'
import type { Changes } from '../../daemon/config/load/changes.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { tapeMeter } from '../output/progress.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { withJournal } from '../journal/journal.ts'
import type { Journal } from '../../research/jobs/journal/read-journal.ts'
import { whatIf, type WhatIf } from '../../research/jobs/journal/what-if.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { SIDE_BY_SIDE } from '../../research/report/comparison/compared-run.ts'
import type { comparisonPage } from '../../research/report/comparison/comparison-page.ts'
import { compareRuns } from '../../research/report/comparison/compare-runs.ts'
import { wroteOrExplained } from '../output/write-file.ts'

type WhatifOptions = OutputFormat & {
  readonly store: string
  readonly config: string
  readonly fills?: FillModelName
  readonly from?: Ms
  readonly to?: Ms
  readonly seed?: number
  readonly report?: string
  /** Changes to the file by dotted path. */
  readonly changes?: Changes
}

/** Shows what another configuration would have done in the position's recorded market, before a reload. */
export async function whatif(options: WhatifOptions, watch: StrategyWatch = UNWATCHED): Promise<void> {
  // Must be loaded before a strategy locks this thread down.
  const page =
    options.report === undefined
      ? null
      : (await import('../../research/report/comparison/comparison-page.ts')).comparisonPage
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

async function compare(
  journal: Journal,
  wanted: LoadedConfig,
  options: WhatifOptions,
  page: typeof comparisonPage | null,
): Promise<void> {
  const meter = (total: number) => tapeMeter(() => total)
  const tried = await whatIf(journal, wanted, { ...options, window: windowOf(options), meter })
  if (!tried.ok) return fail(options, EXIT_CODE.failed, tried.error)
  const { runs, ...data } = tried.value
  if (options.report !== undefined && page !== null) {
    const compared = compareRuns(...runs)
    if (!compared.ok) return fail(options, EXIT_CODE.failed, compared.error)
    const comparison = { ...compared.value, warnings: [...data.warnings, ...compared.value.warnings] }
    const html = page(comparison, ['running', 'wanted'])
    if (!(await wroteOrExplained(options, options.report, html))) return
  }
  print(options, textOf(data), data)
}

function textOf({ running, wanted, quotes, warnings }: Omit<WhatIf, 'runs'>): string {
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
