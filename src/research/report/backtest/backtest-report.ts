import type { BacktestResult } from '../../backtest/result.ts'
import type { BacktestSeries } from '../../backtest/metrics/series.ts'
import type { ConfigurationRows } from '../../backtest/configuration-rows.ts'
import type { Intensity } from '../../../core/models/calibration.ts'
import type { ReportData, ReportTable } from '../report-data.ts'
import { PNL_TERMS } from '../../../core/ledger/book/pnl.ts'
import { backtestRows, pnlRows, runRow, TERM_NAMES } from './result-rows.ts'
import { SPLIT_HEAD, splitRows, splitSeries } from './split-rows.ts'
import type { RefillResult } from '../../backtest/refill-worth.ts'
import { refillRows } from './refill-rows.ts'
import { countText, floatText, intervalText, percentText } from '../../../base/text/numbers.ts'

type Table = ReportTable

/** Input of a report. */
type ReportedRun = {
  readonly result: BacktestResult
  readonly series: BacktestSeries
  /** Intensity for both sides together; null = unknown. */
  readonly law: Intensity | null
  readonly configuration: ConfigurationRows
}

/** Returns a backtest as the report shows it, under the name of its position: series for the charts, text for the tables. */
export function reportOf(
  { result, series, law, configuration }: ReportedRun,
  name: string,
  refills: RefillResult | null = null,
): ReportData {
  const { attribution } = series
  return {
    ...series,
    title: `${name}: ${result.strategy}, ${result.from.slice(0, 10)} to ${result.to.slice(0, 10)}`,
    headline: headline(result),
    warnings: result.warnings,
    tables: [
      { title: 'PnL', head: ['', 'TZS', 'USD'], rows: pnlRows(result) },
      ...(refills === null
        ? []
        : [{ title: 'Refills by a treasury', head: ['', ''], rows: refillRows(refills) }]),
      {
        title: 'Edge by side, pair, hour and size',
        head: SPLIT_HEAD,
        rows: splitRows(result),
        folded: true,
      },
      measures(result),
      parameters(result.params),
      dataWindow(result),
    ],
    attribution: {
      t: attribution.t,
      terms: PNL_TERMS.map((term) => ({ name: TERM_NAMES[term], tzs: attribution[term] })),
    },
    markouts: markouts(result),
    ...splitSeries(result),
    law,
    configuration,
  }
}

function headline(result: BacktestResult): ReportData['headline'] {
  const { edgeBps, fills, fillsBySide, prints, variantsTried, syntheticShare } = result
  const { mean, ci90 } = edgeBps
  const against = result.fairValue === 'mid' ? "against the venue's own mid" : 'against the fair value'
  return [
    {
      label: 'Edge per USD traded',
      value: mean === null ? 'nothing traded' : `${floatText(mean, 2, 'plus')} bps`,
      note: `${intervalText(ci90)}, ${against}`,
    },
    ...atNextPrint(result),
    ...aDay(result),
    {
      label: 'Fills',
      value: floatText(fills, 0),
      note: `${floatText(fillsBySide.bid, 0)} bid, ${floatText(fillsBySide.ask, 0)} ask`,
    },
    { label: 'Prints', value: floatText(prints, 0), note: 'number of times the venue published a new mid' },
    { label: 'Variants tried', value: floatText(variantsTried, 0) },
    {
      label: 'Synthetic fills',
      value: percentText(syntheticShare),
      note: `${percentText(result.syntheticPnlShare)} of the edge`,
    },
  ]
}

/** Against the venue's mid, edge equals the spread, so show how much survives the next print. */
function atNextPrint({ fairValue, markouts: [next] }: BacktestResult): ReportData['headline'] {
  if (fairValue === 'reference' || next === undefined || next.bps === null) return []
  const value = `${floatText(next.bps, 2, 'plus')} bps`
  return [{ label: 'Left at the next print', value, note: intervalText(next.ci90) }]
}

/** Returns the mean daily PnL, and the same less the gain from holding the opening position. */
function aDay({ perDay: { pnlUsd, lessHoldingUsd } }: BacktestResult): ReportData['headline'] {
  if (pnlUsd === null || lessHoldingUsd === null) return []
  const note = `${floatText(lessHoldingUsd, 2, 'plus')} USD less holding`
  return [{ label: 'PnL a day', value: `${floatText(pnlUsd, 2, 'plus')} USD`, note }]
}

/** Repeats the name of the row above in a row that continues it. */
function measures(result: BacktestResult): Table {
  let name = ''
  const rows = backtestRows(result).map(([label, pieces]) => {
    name = label === '' ? name : label
    return [name, pieces.join('; ')]
  })
  return { title: 'What was measured', head: ['', ''], rows }
}

/** One row per parameter, nested values as JSON. */
function parameters(params: unknown): Table {
  const isPlain = typeof params === 'object' && params !== null && !Array.isArray(params)
  const entries = isPlain ? Object.entries(params) : [['', params] as const]
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return {
    title: 'Parameters',
    head: ['Parameter', 'Value'],
    rows: entries.map(([name, value]) => [name, text(value) ?? '']),
  }
}

function dataWindow(result: BacktestResult): Table {
  const [label, pieces] = runRow(result)
  return {
    title: 'Data',
    head: ['', ''],
    rows: [
      [label, pieces.join('; ')],
      ['tape', `${countText(result.events, 'row')}, ${countText(result.days, 'day')}`],
      ['digest', result.digest],
    ],
  }
}

/** Omits horizons that no fill has reached. */
function markouts({ markouts: all }: BacktestResult): ReportData['markouts'] {
  return all.flatMap(({ horizon, bps, ci90, fills }) => (bps === null ? [] : [{ horizon, bps, ci90, fills }]))
}
