import type { ChartLine, Colour, Figure } from '../figure.ts'
import { figureText } from '../figure-text.ts'
import type { ReportData } from '../report-data.ts'
import { seriesSummary } from '../series-summary.ts'
import { timeChart } from './time-chart.ts'

const COLOURS: readonly Colour[] = ['blue', 'red', 'green', 'purple', 'ochre', 'sky', 'pink', 'grey']
const STROKES: readonly ChartLine['stroke'][] = ['solid', 'dashed', 'dotted']

/** Where the result came from: the running sum of each term of the PnL's identity. */
export function attributionFigure({ attribution }: Pick<ReportData, 'attribution'>): Figure {
  const { t, terms } = attribution
  const isBooked = terms.some(({ tzs }) => tzs.some((value) => Number.isFinite(value) && value !== 0))
  const lines = terms.map(({ name, tzs }, index): ChartLine => ({
    name,
    ...lookOf(name, index),
    values: tzs,
  }))
  const chart = isBooked ? timeChart({ t, lines, level: { name: null, value: 0 } }) : null
  const ends = terms.map(({ name, tzs }) => `${name} ${figureText(seriesSummary(t, tzs).last, 0)}`)
  return {
    id: 'attribution',
    title: 'PnL by its terms, running sums',
    unit: 'TZS',
    digits: 0,
    words: chart === null ? 'No profit or loss was booked.' : `At the end, in TZS: ${ends.join(', ')}.`,
    size: 'whole',
    height: 'middle',
    chart,
  }
}

function lookOf(name: string, index: number): Pick<ChartLine, 'colour' | 'stroke'> {
  if (name.toLowerCase() === 'total') return { colour: 'ink', stroke: 'solid' }
  return {
    colour: COLOURS[index % COLOURS.length] ?? 'grey',
    stroke: STROKES[Math.floor(index / COLOURS.length) % STROKES.length] ?? 'solid',
  }
}
