import { invariant } from '../../../base/result.ts'
import { mapTerms } from '../../../core/ledger/book/pnl.ts'
import { type DayRow, type UsdTerm, wholeDays } from './daily.ts'
import { noCounts } from './bounded/spread-exposure.ts'
import { equityBand } from './equity-band.ts'
import type { Points } from './bounded/series.ts'
import type { BacktestSeries, PlotColumns } from './series.ts'
import { STEP, type RecorderState } from './state.ts'

/** Returns the series that a report draws from a finished run. */
export function seriesOf(state: RecorderState): BacktestSeries {
  invariant(state.phase === 'ended', 'a trail is drawn after its end')
  const rows = state.days.rows()
  const path = restatedPath(state)
  const falls = state.falls.points()
  const { t, columns } = state.steps.rows()
  const column = (name: keyof typeof STEP): Float64Array => columns[STEP[name]] ?? new Float64Array(t.length)
  const mid = column('mid')
  const bid = column('bid')
  const ask = column('ask')
  return {
    equity: {
      t: path.t,
      usd: path.values,
      ...equityBand(path, state.openedAt, wholeDays(rows), state.settings.seed),
      ...benchmarks(state, path.t, { t, fair: column('fair') }),
    },
    days: {
      t: Float64Array.from(rows, ({ day }) => day),
      pnlUsd: Float64Array.from(rows, ({ pnlUsd }) => pnlUsd),
      lessHoldingUsd: Float64Array.from(rows, ({ lessHoldingUsd }) => lessHoldingUsd),
      fills: Float64Array.from(rows, ({ fills }) => fills),
    },
    drawdown: { t: falls.t, usd: falls.values },
    attribution: attribution(rows, state.openedAt),
    attributionUsd: attributionUsd(rows, state.openedAt),
    quotes: {
      t,
      mid,
      fair: column('fair'),
      bid: mid.map((rate, i) => rate * (1 + bid[i]! / 1e4)),
      ask: mid.map((rate, i) => rate * (1 - ask[i]! / 1e4)),
    },
    fills: state.sample.fills(),
    inventory: { t, usdShare: column('usdShare'), target: state.settings.target },
    competition: {
      t,
      ownBid: bid,
      ownAsk: ask,
      otherBid: column('otherBid'),
      otherAsk: column('otherAsk'),
    },
    spreads: state.spreads?.counts() ?? noCounts(),
    uptime: {
      t: Float64Array.from(rows, ({ day }) => day),
      bid: Float64Array.from(rows, (row) => row.bid),
      ask: Float64Array.from(rows, (row) => row.ask),
    },
    plots: Array.from(state.plots, ([name, series]) => ({ name, ...series.points() })),
  }
}

/** Returns what the strategy plotted as plain data, also before the end. */
export function plotsOf({ plots }: RecorderState): PlotColumns {
  const columns = Array.from(plots, ([name, series]) => {
    const { t, values } = series.points()
    return [name, { time: [...t], value: [...values] }] as const
  })
  return Object.fromEntries(columns)
}

function attribution(rows: readonly DayRow[], openedAt: number): BacktestSeries['attribution'] {
  return {
    t: Float64Array.from([openedAt, ...rows.map(({ to }) => to)]),
    ...mapTerms((term) => Float64Array.from([0, ...rows.map(({ terms }) => terms[term])])),
  }
}

function attributionUsd(rows: readonly DayRow[], openedAt: number): BacktestSeries['attributionUsd'] {
  const sums = (term: UsdTerm) => Float64Array.from([0, ...rows.map(({ termsUsd }) => termsUsd[term])])
  return {
    t: Float64Array.from([openedAt, ...rows.map(({ to }) => to)]),
    edge: sums('edge'),
    inventory: sums('inventory'),
    costs: sums('costs'),
    unreconciled: sums('unreconciled'),
  }
}

/** Returns the worth at each fill and mark, restated with the final fair-value source: switching the source is no gain. */
function restatedPath({ equity, restated }: RecorderState): Points {
  const { t, values } = equity.points()
  if (restated === null) return { t, values }
  const { at, before, usd } = restated
  const isOld = (i: number): boolean => t[i]! < at || (t[i] === at && values[i] === before)
  return { t, values: values.map((value, i) => (isOld(i) ? value + usd : value)) }
}

/** Returns the value of two passive positions: the opening held to the end, and half of its value in each currency. */
function benchmarks(
  { openingDollars, openingTzs, openingInverse, restated }: RecorderState,
  at: Float64Array,
  path: { readonly t: Float64Array; readonly fair: Float64Array },
): Pick<BacktestSeries['equity'], 'holding' | 'half'> {
  const opening = Number(openingInverse) / 1e36
  const worth = openingDollars + openingTzs * opening
  let row = 0
  const inverse = at.map((t) => {
    while (row + 1 < path.t.length && path.t[row + 1]! <= t) row += 1
    const fair = path.fair[row]
    // Of a long run the rows of the beginning are thinned out.
    if (fair === undefined || path.t[row]! > t) return opening
    return 1 / fair + (restated !== null && t < restated.at ? restated.inverse : 0)
  })
  return {
    holding: inverse.map((perTzs) => openingDollars + openingTzs * perTzs),
    half: inverse.map((perTzs) => (worth / 2) * (1 + perTzs / opening)),
  }
}
