import { invariant } from '../../base/result.ts'
import { mapTerms } from '../../ledger/book/pnl.ts'
import { type DayRow, wholeDays } from './daily.ts'
import { equityBand } from './equity-band.ts'
import type { BacktestSeries } from './series.ts'
import { STEP, type RecorderState } from './state.ts'

/** What a report draws of a trail that has ended. */
export function seriesOf(state: RecorderState): BacktestSeries {
  invariant(state.phase === 'ended', 'a trail is drawn after its end')
  const rows = state.days.rows()
  const path = state.equity.points()
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
    },
    drawdown: { t: falls.t, usd: falls.values },
    attribution: attribution(rows, state.openedAt),
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
    uptime: {
      t: Float64Array.from(rows, ({ day }) => day),
      bid: Float64Array.from(rows, (row) => row.bid),
      ask: Float64Array.from(rows, (row) => row.ask),
    },
  }
}

function attribution(rows: readonly DayRow[], openedAt: number): BacktestSeries['attribution'] {
  return {
    t: Float64Array.from([openedAt, ...rows.map(({ to }) => to)]),
    ...mapTerms((term) => Float64Array.from([0, ...rows.map(({ terms }) => terms[term])])),
  }
}
