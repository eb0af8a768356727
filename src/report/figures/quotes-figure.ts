import type { Figure, Markers } from '../figure.ts'
import { figureText } from '../figure-text.ts'
import type { ReportData } from '../report-data.ts'
import { seriesSummary } from '../series-summary.ts'
import { thinFills } from '../thin-fills.ts'
import { pickRows } from './pick-rows.ts'
import { timeChart } from './time-chart.ts'

/** What was quoted, what it was worth, and who took it. */
export function quotesFigure({ quotes, fills }: Pick<ReportData, 'quotes' | 'fills'>): Figure {
  const { t, mid, fair, bid, ask } = quotes
  const markers = markersOf(fills)
  const chart = timeChart({
    t,
    lines: [
      { name: 'Sell dollars at S(1 + bid)', colour: 'blue', stroke: 'solid', values: bid },
      { name: 'Buy dollars at S(1 - ask)', colour: 'red', stroke: 'solid', values: ask },
      { name: 'Mid S', colour: 'grey', stroke: 'solid', values: mid },
      { name: 'Fair value', colour: 'purple', stroke: 'dashed', values: fair },
    ],
    step: true,
    markers: markers.t.length === 0 ? null : markers,
  })
  return {
    id: 'quotes',
    title: 'Quotes and fills',
    unit: 'TZS per USD',
    digits: 4,
    words: [midWords(quotes), fillWords(fills, chart === null ? 0 : markers.t.length)].join(' '),
    size: 'whole',
    height: 'tall',
    chart,
  }
}

function midWords({ t, mid }: ReportData['quotes']): string {
  const { first, last, lowest, highest, points } = seriesSummary(t, mid)
  if (points === 0) return 'No mid was seen.'
  return `Mid from ${figureText(first, 2)} to ${figureText(last, 2)} TZS per USD, between ${figureText(lowest, 2)} and ${figureText(highest, 2)}.`
}

function fillWords(fills: ReportData['fills'], drawn: number): string {
  const count = fills.t.length
  const all = count + fills.leftOut
  if (all === 0) return 'No fills.'
  let usd = 0
  let atBid = 0
  let synthetic = 0
  for (let i = 0; i < count; i++) {
    const size = fills.usd[i] ?? NaN
    if (!Number.isFinite(size)) continue
    usd += size
    if (fills.bid[i] === 1) atBid += size
    if (fills.synthetic[i] === 1) synthetic += size
  }
  const given = fills.leftOut > 0 ? ` (of the ${figureText(count, 0)} known one by one)` : ''
  const sentences = [
    `${figureText(all, 0)} ${all === 1 ? 'fill' : 'fills'}, ${figureText(usd, 0)} USD${given}: ${percent(atBid, usd)} of the dollars at the bid, ${percent(usd - atBid, usd)} at the ask, ${percent(synthetic, usd)} synthetic.`,
  ]
  if (drawn < all) {
    sentences.push(
      `${figureText(drawn, 0)} of ${figureText(all, 0)} fills are drawn: the largest of those that would lie on one another.`,
    )
  }
  return sentences.join(' ')
}

function percent(part: number, whole: number): string {
  return `${figureText(whole > 0 ? (part / whole) * 100 : 0, 1)} %`
}

function markersOf(fills: ReportData['fills']): Markers {
  const rows = thinFills(fills)
  return {
    t: pickRows(fills.t, rows),
    price: pickRows(fills.price, rows),
    usd: pickRows(fills.usd, rows),
    flags: Uint8Array.from(
      rows,
      (row) => (fills.bid[row] === 1 ? 1 : 0) + (fills.synthetic[row] === 1 ? 2 : 0),
    ),
  }
}
