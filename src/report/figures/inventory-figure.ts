import type { Figure } from '../figure.ts'
import { figureText } from '../figure-text.ts'
import type { ReportData } from '../report-data.ts'
import { seriesSummary } from '../series-summary.ts'
import { timeChart } from './time-chart.ts'

/** How much of the position was dollars, against the share that is aimed at. */
export function inventoryFigure({ inventory }: Pick<ReportData, 'inventory'>): Figure {
  const { t } = inventory
  const share = inventory.usdShare.map((value) => value * 100)
  const target = inventory.target * 100
  const hasTarget = Number.isFinite(target)
  const { mean, lowest, highest, last, points } = seriesSummary(t, share)
  const aim = hasTarget ? `; target ${figureText(target, 1)} %` : ''
  return {
    id: 'inventory',
    title: 'Inventory in dollars',
    unit: '% of the position',
    digits: 1,
    words:
      points === 0
        ? 'No balances were seen.'
        : `Over time ${figureText(mean, 1)} % on average, between ${figureText(lowest, 1)} and ${figureText(highest, 1)} %, ${figureText(last, 1)} % at the end${aim}.`,
    size: 'half',
    height: 'middle',
    chart: timeChart({
      t,
      lines: [{ name: 'Share in dollars', colour: 'green', stroke: 'solid', values: share }],
      step: true,
      level: hasTarget ? { name: `Target ${figureText(target, 1)} %`, value: target } : null,
      lowest: 0,
      highest: 100,
    }),
  }
}
