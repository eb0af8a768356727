import { figureText, signedText, unbroken, type ChartLine, type Colour, type Figure } from './figure.ts'
import type { ReportData, ReportTable } from '../report-data.ts'
import { seriesSummary, timeChart } from './time-chart.ts'
import { minuteText } from '../../../base/text/times.ts'

const COLOURS: readonly Colour[] = ['blue', 'red', 'green', 'purple', 'ochre', 'sky', 'pink', 'grey']
const STROKES: readonly ChartLine['stroke'][] = [undefined, 'dashed', 'dotted']

/** Running sum of each term of the PnL identity in shillings. */
export function attributionFigure({ attribution }: Pick<ReportData, 'attribution'>): Figure {
  const { t, terms } = attribution
  const named = terms.map(({ name, tzs }) => ({ name, values: tzs }))
  return termsFigure({ id: 'attribution', unit: 'TZS', digits: 0, t, terms: named })
}

/** The same in dollars. Single terms do not convert between the two currencies. */
export function dollarAttributionFigure({ attributionUsd }: Pick<ReportData, 'attributionUsd'>): Figure {
  const { t, edge, inventory, costs, unreconciled } = attributionUsd
  const terms = [
    { name: 'edge', values: edge },
    { name: 'inventory', values: inventory },
    { name: 'costs', values: costs },
    { name: 'unreconciled', values: unreconciled },
    { name: 'total', values: edge.map((value, i) => value + inventory[i]! + costs[i]! + unreconciled[i]!) },
  ]
  return termsFigure({ id: 'attribution-usd', unit: 'USD', digits: 2, t, terms })
}

type Terms = Pick<Figure, 'id' | 'unit' | 'digits'> & {
  readonly t: Float64Array
  readonly terms: readonly { readonly name: string; readonly values: Float64Array }[]
}

function termsFigure({ id, unit, digits, t, terms }: Terms): Figure {
  const isBooked = terms.some(({ values }) => values.some((value) => Number.isFinite(value) && value !== 0))
  const lines = terms.map(({ name, values }, index): ChartLine => ({
    name,
    ...lookOf(name, index),
    values,
  }))
  const chart = isBooked ? timeChart({ t, lines, level: { value: 0 } }) : null
  const ends = terms.map(({ name, values }) => `${name} ${figureText(seriesSummary(t, values).last, digits)}`)
  return {
    id,
    title: `PnL by its terms in ${unit}, running sums`,
    unit,
    digits,
    words: chart === null ? 'No profit or loss was booked.' : `At the end, in ${unit}: ${ends.join(', ')}.`,
    chart,
  }
}

function lookOf(name: string, index: number): Pick<ChartLine, 'colour' | 'stroke'> {
  if (name.toLowerCase() === 'total') return { colour: 'ink' }
  return {
    colour: COLOURS[index % COLOURS.length] ?? 'grey',
    stroke: STROKES[Math.floor(index / COLOURS.length) % STROKES.length],
  }
}

/** The position's worth, with the 90 % band of its result. */
export function equityFigure({ equity }: Pick<ReportData, 'equity'>): Figure {
  const { t, usd, low, high, holding, half } = equity
  const hasBand = low.some(Number.isFinite) && high.some(Number.isFinite)
  const chart = timeChart({
    t,
    lines: [
      { name: 'Equity', colour: 'blue', values: usd },
      { name: 'Holding the opening', colour: 'grey', stroke: 'dashed', values: holding },
      { name: 'Half in each currency', colour: 'ochre', stroke: 'dotted', values: half },
    ],
    band: hasBand ? { name: '90 % band', low, high } : null,
  })
  return {
    id: 'equity',
    title: 'Equity',
    unit: 'USD',
    digits: 2,
    words: chart === null ? 'The run has no equity.' : wordsOf(equity, hasBand),
    chart,
    ...(chart === null ? {} : { table: benchmarkTable(equity) }),
  }
}

/** Compares the result with two passive positions from the same opening. */
function benchmarkTable({ t, usd, holding, half }: ReportData['equity']): ReportTable {
  const row = (name: string, values: Float64Array) => {
    const { first, last } = seriesSummary(t, values)
    const share = first === 0 ? NaN : ((last - first) / first) * 100
    return [name, figureText(last, 2), signedText(last - first, 2), signedText(share, 2)]
  }
  return {
    title: 'Compared with passive positions',
    head: ['', 'End, USD', 'Change, USD', 'Change, %'],
    rows: [row('Equity', usd), row('Holding the opening', holding), row('Half in each currency', half)],
  }
}

function wordsOf({ t, usd, low, high, holding, half }: ReportData['equity'], hasBand: boolean): string {
  const line = seriesSummary(t, usd)
  const change = line.last - line.first
  const share = line.first === 0 ? NaN : (change / line.first) * 100
  const inPercent = Number.isFinite(share) ? ` (${figureText(share, 2)} %)` : ''
  const sentences = [
    `${unbroken(minuteText(t[0] ?? NaN))} to ${unbroken(minuteText(t.at(-1) ?? NaN))}.`,
    `From ${figureText(line.first, 2)} to ${figureText(line.last, 2)} USD, a change of ${figureText(change, 2)}${inPercent}.`,
    `Lowest ${figureText(line.lowest, 2)}, highest ${figureText(line.highest, 2)}.`,
  ]
  if (hasBand) {
    const [from, to] = [seriesSummary(t, low).last, seriesSummary(t, high).last]
    sentences.push(`The 90 % band ends at ${figureText(from, 2)} to ${figureText(to, 2)}.`)
  }
  const [held, halved] = [seriesSummary(t, holding).last, seriesSummary(t, half).last]
  if (Number.isFinite(held) && Number.isFinite(halved)) {
    const ends = `at ${figureText(held, 2)}, half in each currency at ${figureText(halved, 2)}`
    sentences.push(`Holding the opening ends ${ends}.`)
  }
  return sentences.join(' ')
}
