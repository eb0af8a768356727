import type { Figure } from '../figure.ts'
import { figureText } from '../figure-text.ts'
import { minuteText } from '../minute-text.ts'
import type { ReportData } from '../report-data.ts'
import { seriesSummary } from '../series-summary.ts'
import { timeChart } from './time-chart.ts'

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
  const deepest = `${figureText(-lowest, 2)} USD below the peak at ${minuteText(t[usd.indexOf(lowest)] ?? NaN)}`
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
