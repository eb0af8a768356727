import type { Figure } from '../figure.ts'
import { figureText } from '../figure-text.ts'
import { minuteText } from '../minute-text.ts'
import type { ReportData } from '../report-data.ts'
import { seriesSummary } from '../series-summary.ts'
import { timeChart } from './time-chart.ts'

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
    `${minuteText(t[0] ?? NaN)} to ${minuteText(t.at(-1) ?? NaN)}.`,
    `From ${figureText(line.first, 2)} to ${figureText(line.last, 2)} USD, a change of ${figureText(change, 2)}${inPercent}.`,
    `Lowest ${figureText(line.lowest, 2)}, highest ${figureText(line.highest, 2)}.`,
  ]
  if (!hasBand) return sentences.join(' ')
  const [from, to] = [seriesSummary(t, low).last, seriesSummary(t, high).last]
  return [...sentences, `The 90 % band ends at ${figureText(from, 2)} to ${figureText(to, 2)}.`].join(' ')
}
