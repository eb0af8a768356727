import type { Figure } from './figures/figure.ts'
import { dailyFigure, histogramFigure } from './figures/daily.ts'
import { drawdownFigure } from './figures/drawdown.ts'
import { fillsBySpreadFigure } from './figures/fills-by-spread.ts'
import { attributionFigure, dollarAttributionFigure, equityFigure } from './figures/pnl.ts'
import { competitionFigure, quotesFigure, uptimeFigure } from './figures/quotes.ts'
import { inventoryFigure, markoutFigure, plotFigure } from './figures/inventory.ts'
import { hoursFigure, splitFigure } from './figures/split.ts'
import { rollingEdgeFigure } from './figures/rolling-edge.ts'
import { renderPage } from './render-page.ts'
import type { ReportData } from './report-data.ts'
import { invariant } from '../../base/result.ts'

/** Renders the report of a backtest as one HTML file. Throws InvariantError for data that violates ReportData. */
export function renderReport(data: ReportData): string {
  checkReportData(data)
  const { title, warnings, headline, tables, configuration } = data
  const figures: readonly Figure[] = [
    equityFigure(data),
    drawdownFigure(data),
    dailyFigure(data),
    histogramFigure(data),
    attributionFigure(data),
    dollarAttributionFigure(data),
    quotesFigure(data),
    inventoryFigure(data),
    markoutFigure(data),
    splitFigure(data),
    hoursFigure(data),
    rollingEdgeFigure(data),
    fillsBySpreadFigure(data),
    competitionFigure(data, 'bid'),
    competitionFigure(data, 'ask'),
    uptimeFigure(data),
    ...data.plots.map(plotFigure),
  ]
  const ran = configuration.map(({ key, value }) => [key, value])
  return renderPage({
    title,
    warnings,
    headline,
    figures,
    tables:
      ran.length === 0
        ? tables
        : [...tables, { title: 'Configuration', head: ['Key', 'Value'], rows: ran, folded: true }],
  })
}

/** Checks that the arrays of a group have one length, and that times and spreads ascend. */
export function checkReportData({ attribution, spreads, ...data }: ReportData): void {
  const terms = attribution.terms.map(({ name, tzs }) => [`the term ${name}`, tzs] as const)
  const groups = {
    ...data,
    attribution: { t: attribution.t, ...Object.fromEntries(terms) },
    spreads: { t: spreads.bps, ...spreads },
  }
  for (const [name, group] of Object.entries(groups)) {
    if (typeof group !== 'object' || group === null || !('t' in group)) continue
    const columns = Object.values(group).filter((column) => ArrayBuffer.isView(column))
    invariant(
      columns.every((column) => 'length' in column && column.length === group.t.length),
      `the report's ${name} has arrays of different lengths`,
    )
    invariant(ascends(group.t), `the report's ${name} has times that do not ascend`)
  }
}

function ascends(t: Float64Array): boolean {
  let before = -Infinity
  for (const time of t) {
    if (!(time >= before) || time === Infinity) return false
    before = time
  }
  return true
}
