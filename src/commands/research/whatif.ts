import { windowOf } from '../options.ts'
import { alignColumns } from '../output/tables.ts'
import type { FillModelName } from '../../backtest/fill-models/fill-model.ts'
import type { BacktestResult } from '../../backtest/result.ts'
import type { Ms } from '../../base/time.ts'
import { backtestDefaults, type BacktestJob, runBacktestJob } from './backtest/job.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { quoteAgreement, type QuotePoint } from './parity/agreement.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { withJournal, type Journal } from '../journal/journal.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { decimalText, floatText } from '../../text/numbers.ts'

export type WhatifOptions = OutputFormat & {
  readonly store: string
  readonly config: string
  readonly fills?: FillModelName
  readonly from?: Ms
  readonly to?: Ms
  readonly seed?: number
}

/** What another configuration would have done with what the position saw, before it is reloaded. */
export async function whatif(options: WhatifOptions): Promise<void> {
  const wanted = await loadOrExplain(options.config, options, { offline: true })
  if (wanted === null) return
  await withJournal(options.store, options.config, options, (journal) => compare(journal, wanted, options))
}

/** Code is journalled by its hash alone. */
function codeWarnings({ config: { codeChanged, strategy } }: Journal): readonly string[] {
  if (!codeChanged) return []
  return [
    `the running column uses today's code of ${strategy.use}, because the code that ran is gone; to compare the two, restore the old file and name the new one in --config`,
  ]
}

type Tried = { readonly result: BacktestResult; readonly quotes: readonly QuotePoint[]; readonly endsAt: Ms }

async function compare(journal: Journal, wanted: LoadedConfig, options: WhatifOptions): Promise<void> {
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
  if (typeof before === 'string') return fail(options, EXIT_CODE.failed, before)
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
  print(options, textOf(data), data)
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
  return done.ok ? { result: done.value.result, quotes, endsAt } : done.error
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

type Row = readonly [label: string, of: (result: BacktestResult) => string]

const ROWS: readonly Row[] = [
  ['strategy', ({ strategy }) => strategy],
  ['PnL USD', ({ pnl }) => decimalText(pnl.usd.total, 2, 'plus')],
  ['PnL TZS', ({ pnl }) => decimalText(pnl.tzs.total, 0, 'plus')],
  ['edge bps', ({ edgeBps }) => (edgeBps.mean === null ? '-' : edgeBps.mean.toFixed(2))],
  ['90 % of it', ({ edgeBps }) => edgeBps.ci90?.map((bps) => bps.toFixed(2)).join(' to ') ?? '-'],
  ['fills', ({ fills }) => floatText(fills, 0)],
  ['turnover USD', ({ turnoverUsd }) => decimalText(turnoverUsd, 0)],
  ['rejected', ({ rejected }) => floatText(rejected, 0)],
  ['PATCHes', ({ quoteUpdates }) => floatText(quoteUpdates, 0)],
  ['uptime bid', ({ uptime }) => `${(100 * uptime.bid).toFixed(1)} %`],
  ['uptime ask', ({ uptime }) => `${(100 * uptime.ask).toFixed(1)} %`],
  ['drawdown USD', ({ maxDrawdown }) => maxDrawdown.usd.toFixed(2)],
  ['synthetic', ({ syntheticShare }) => `${(100 * syntheticShare).toFixed(1)} %`],
]

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
  const cells = [['', 'running', 'wanted'], ...ROWS.map(([label, of]) => [label, of(running), of(wanted)])]
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
