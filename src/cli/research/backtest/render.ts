import type { BacktestResult } from '../../../research/backtest/result.ts'
import {
  type BacktestRow,
  backtestRows,
  pnlRows,
  runRow,
  speedRow,
} from '../../../research/report/backtest/result-rows.ts'
import { SPLIT_HEAD, splitRows } from '../../../research/report/backtest/split-rows.ts'
import { refillRows } from '../../../research/report/backtest/refill-rows.ts'
import type { FullBacktest } from '../../../research/jobs/backtest/full-backtest.ts'
import type { Quantiles, Replicates } from '../../../research/jobs/backtest/replicates.ts'
import type { WrittenList, WrittenLists } from '../../../research/jobs/backtest/write-lists.ts'
import { alignColumns, tableRow } from '../../output/tables.ts'
import { countText, floatText, intervalText, percentText } from '../../../base/text/numbers.ts'

const WIDTH = 100

/**
 * Renders a backtest for a terminal: first the edge with its interval and evidence, then the warnings, then the PnL, whose
 * terms add up as shown, then all other measures.
 */
export function renderBacktest(result: BacktestResult, width = WIDTH): string {
  const lines = (rows: readonly BacktestRow[]): readonly string[] =>
    rows.flatMap(([label, pieces]) => tableRow(label, pieces, { width, colour: false }))
  const parts = [
    [headlineText(result), ...perDayText(result)],
    lines(result.warnings.map((text) => ['warning', [text]])),
    lines([runRow(result)]),
    pnlLines(result),
    splitLines(result),
    lines([...backtestRows(result), speedRow(result), ['digest', [result.digest]]]),
  ]
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')
}

/** Returns the headline required by quant.md section 5. */
function headlineText(result: BacktestResult): string {
  const { edgeBps, fills, prints, variantsTried, syntheticShare } = result
  const { mean, ci90 } = edgeBps
  const edge =
    mean === null
      ? 'no edge, nothing was traded'
      : `edge ${floatText(mean, 2, 'plus')} bps per USD traded (${intervalText(ci90)})`
  return [
    edge,
    ...leftAtNextPrint(result),
    countText(fills, 'fill'),
    countText(prints, 'print'),
    `${countText(variantsTried, 'variant')} tried`,
    `${percentText(syntheticShare)} of the fills synthetic`,
  ].join(', ')
}

/** Returns the mean daily PnL, and the same less the gain from holding the opening position; empty if no time passed. */
function perDayText({ perDay: { pnlUsd, lessHoldingUsd } }: BacktestResult): readonly string[] {
  if (pnlUsd === null || lessHoldingUsd === null) return []
  return [
    `a day: PnL ${floatText(pnlUsd, 2, 'plus')} USD, less holding ${floatText(lessHoldingUsd, 2, 'plus')} USD`,
  ]
}

/** Against the venue's mid, edge equals the spread, so show how much survives the next print. */
function leftAtNextPrint({ fairValue, markouts: [next] }: BacktestResult): readonly string[] {
  if (fairValue === 'reference' || next === undefined || next.bps === null) return []
  return [`${floatText(next.bps, 2, 'plus')} left at the next print (${intervalText(next.ci90)})`]
}

function pnlLines(result: BacktestResult): readonly string[] {
  const rows = [['PnL', 'TZS', 'USD'] as const, ...pnlRows(result)]
  return alignColumns(rows, (column) => column === 0, '   ')
}

/** Empty without fills. The name of a split is shown only in its first row. */
function splitLines(result: BacktestResult): readonly string[] {
  if (result.fills === 0) return []
  let above = ''
  const rows = splitRows(result).map(([by = '', ...cells]) => {
    const shown = by === above ? '' : by
    above = by
    return [shown, ...cells]
  })
  return alignColumns([SPLIT_HEAD, ...rows], (column) => column < 2, '   ')
}

/** Renders the backtest with its refills, replicates and lists. */
export function renderFullBacktest({ result, refills, replicates, lists }: FullBacktest): string {
  return [
    renderBacktest(result),
    ...(refills === null
      ? []
      : ['', ...refillRows(refills).map(([label, value]) => `${label.padEnd(20)} ${value}`)]),
    ...(replicates === null ? [] : [replicatesText(replicates)]),
    ...listsText(lists ?? {}),
  ].join('\n')
}

function replicatesText({ count, pnlUsd, edgeBps, fills }: Replicates): string {
  const range = ({ q05, q50, q95 }: Quantiles, digits: number) =>
    `${q50.toFixed(digits)} (${q05.toFixed(digits)} to ${q95.toFixed(digits)})`
  const edge = edgeBps === null ? '' : `   edge ${range(edgeBps, 2)} bps`
  return `replicates   ${count} with A and k drawn from their posterior: PnL ${range(pnlUsd, 2)} USD${edge}   ${range(fills, 0)} fills`
}

function listsText({ trades, decisions }: WrittenLists): readonly string[] {
  const line = (label: string, one: string, list: WrittenList | undefined) =>
    list === undefined ? [] : [`${label.padEnd(13)}${countText(list.rows, one)} written to ${list.path}`]
  return [...line('trades', 'row', trades), ...line('decisions', 'row', decisions)]
}
