import { horizonsOf } from '../../../core/models/markouts/horizons.ts'
import { resolve } from 'node:path'
import { createTradeList, type TradeList } from '../../backtest/lists/trade-list.ts'
import type { Trade } from '../../backtest/lists/trade.ts'
import type { RecordedDecision } from '../../backtest/recorder.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { countText } from '../../../base/text/numbers.ts'
import { listPathProblem, openRowFile, type RowFile } from './row-file.ts'
import { DECISION_COLUMNS, tradeColumns } from './list-columns.ts'
import { type BacktestDone, type BacktestJob, runBacktestJob } from './backtest-job.ts'

/** The options of `mizani backtest` that name lists. */
type ListOptions = { readonly trades?: string; readonly decisions?: string; readonly report?: string }

/** A list that was written. */
export type WrittenList = { readonly path: string; readonly rows: number }

export type WrittenLists = { readonly trades?: WrittenList; readonly decisions?: WrittenList }

/** Returns the problem of the paths before a run starts; null = they are valid. */
export function listOptionsProblem({ trades, decisions, report }: ListOptions): string | null {
  for (const [option, path] of [
    ['--trades', trades],
    ['--decisions', decisions],
  ] as const) {
    const problem = path === undefined ? null : listPathProblem(option, path)
    if (problem !== null) return problem
  }
  const paths = [trades, decisions, report].flatMap((path) => (path === undefined ? [] : [resolve(path)]))
  return new Set(paths).size === paths.length
    ? null
    : '--trades, --decisions and --report name the same file; give each its own path'
}

/** Runs the job and writes its lists meanwhile. A failed run leaves no list behind. */
export async function runWithLists(
  job: BacktestJob,
  options: ListOptions,
): Promise<Result<BacktestDone & { readonly lists: WrittenLists }, string>> {
  const opened = openLists(job, options)
  if (!opened.ok) return opened
  const { trades, decisions, tradeList } = opened.value
  try {
    const addDecision = (decision: RecordedDecision): void => {
      tradeList?.decision?.(decision)
      decisions?.append(decision)
    }
    const done = await runBacktestJob({ ...job, listener: { ...tradeList, decision: addDecision } })
    if (!done.ok) return done
    const written = finishLists(options, trades, decisions)
    if (!written.ok) return written
    const { result } = done.value
    const warnings = [...result.warnings, ...cutShortWarning(tradeList?.cutShort() ?? 0)]
    return ok({ ...done.value, result: { ...result, warnings }, lists: written.value })
  } finally {
    trades?.abandon()
    decisions?.abandon()
  }
}

type OpenLists = {
  readonly trades: RowFile<Trade> | null
  readonly decisions: RowFile<RecordedDecision> | null
  readonly tradeList: TradeList | null
}

function openLists({ settings }: BacktestJob, options: ListOptions): Result<OpenLists, string> {
  const horizons = horizonsOf(settings)
  const trades = options.trades === undefined ? null : openRowFile(options.trades, tradeColumns(horizons))
  if (trades !== null && !trades.ok) return trades
  const decisions = options.decisions === undefined ? null : openRowFile(options.decisions, DECISION_COLUMNS)
  if (decisions !== null && !decisions.ok) {
    trades?.value.abandon()
    return decisions
  }
  return ok({
    trades: trades?.value ?? null,
    decisions: decisions?.value ?? null,
    tradeList: trades === null ? null : createTradeList(horizons, trades.value.append),
  })
}

function finishLists(
  options: ListOptions,
  trades: RowFile<Trade> | null,
  decisions: RowFile<RecordedDecision> | null,
): Result<WrittenLists, string> {
  const lists: { trades?: WrittenList; decisions?: WrittenList } = {}
  for (const [name, file] of [
    ['trades', trades],
    ['decisions', decisions],
  ] as const) {
    if (file === null) continue
    const rows = file.finish()
    if (!rows.ok) return err(rows.error)
    lists[name] = { path: options[name] ?? '', rows: rows.value }
  }
  return ok(lists)
}

function cutShortWarning(count: number): readonly string[] {
  if (count === 0) return []
  return [
    `${countText(count, 'trade')} of the list were written before the last horizon, because too many waited for a rate update; their later markouts are empty`,
  ]
}
