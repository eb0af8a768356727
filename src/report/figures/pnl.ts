import { figureText, unbroken, type ChartLine, type Colour, type Figure } from './figure.ts'
import type { ReportData } from '../report-data.ts'
import { seriesSummary, timeChart } from './time-chart.ts'
import { minuteText } from '../../text/times.ts'

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

/** What the position is worth, with the band that its result may as well have ended in. */
export function equityFigure({ equity }: Pick<ReportData, 'equity'>): Figure {
  const { t, usd, low, high } = equity
  const hasBand = low.some(Number.isFinite) && high.some(Number.isFinite)
  const chart = timeChart({
    t,
    lines: [{ name: 'Equity', colour: 'blue', stroke: 'solid', values: usd }],
    band: hasBand ? { name: '90 % band', low, high } : null,
  })
  return {
    id: 'equity',
    title: 'Equity',
    unit: 'USD',
    digits: 2,
    words: chart === null ? 'No equity was measured.' : wordsOf(equity, hasBand),
    size: 'half',
    height: 'middle',
    chart,
  }
}

function wordsOf({ t, usd, low, high }: ReportData['equity'], hasBand: boolean): string {
  const line = seriesSummary(t, usd)
  const change = line.last - line.first
  const share = line.first === 0 ? NaN : (change / line.first) * 100
  const inPercent = Number.isFinite(share) ? ` (${figureText(share, 2)} %)` : ''
  const sentences = [
    `${unbroken(minuteText(t[0] ?? NaN))} to ${unbroken(minuteText(t.at(-1) ?? NaN))}.`,
    `From ${figureText(line.first, 2)} to ${figureText(line.last, 2)} USD, a change of ${figureText(change, 2)}${inPercent}.`,
    `Lowest ${figureText(line.lowest, 2)}, highest ${figureText(line.highest, 2)}.`,
  ]
  if (!hasBand) return sentences.join(' ')
  const [from, to] = [seriesSummary(t, low).last, seriesSummary(t, high).last]
  return [...sentences, `The 90 % band ends at ${figureText(from, 2)} to ${figureText(to, 2)}.`].join(' ')
}

/** How far below its highest point so far the equity was. */
export function drawdownFigure({ drawdown }: Pick<ReportData, 'drawdown'>): Figure {
  const { t } = drawdown
  const usd = drawdown.usd.map((value) => -Math.abs(value))
  const { lowest, last, points } = seriesSummary(t, usd)
  const chart = timeChart({
    t,
    lines: [{ name: 'Below the peak', colour: 'red', stroke: 'solid', values: usd }],
    toZero: true,
    highest: 0,
  })
  const deepest = `${figureText(-lowest, 2)} USD below the peak at ${unbroken(minuteText(t[usd.indexOf(lowest)] ?? NaN))}`
  const words =
    points === 0
      ? 'No equity was measured.'
      : lowest === 0
        ? 'None: the equity was never below its highest point so far.'
        : `Deepest ${deepest}; ${figureText(-last, 2)} at the end.`
  return {
    id: 'drawdown',
    title: 'Drawdown',
    unit: 'USD',
    digits: 2,
    words,
    size: 'half',
    height: 'middle',
    chart: lowest === 0 ? null : chart,
  }
}
