import type { Figure } from './figures/figure.ts'
import { dailyFigure, histogramFigure } from './figures/daily.ts'
import { drawdownFigure } from './figures/drawdown.ts'
import { fillsBySpreadFigure } from './figures/fills-by-spread.ts'
import { attributionFigure, dollarAttributionFigure, equityFigure } from './figures/pnl.ts'
import { competitionFigure, quotesFigure, uptimeFigure } from './figures/quotes.ts'
import { inventoryFigure, markoutFigure } from './figures/inventory.ts'
import { hoursFigure, splitFigure } from './figures/split.ts'
import { rollingEdgeFigure } from './figures/rolling-edge.ts'
import { renderPage } from './render-page.ts'
import type { ReportData } from './report-data.ts'
import { invariant } from '../../base/result.ts'

/** The report of a backtest as one HTML file. Data that breaks the promises of ReportData throws an InvariantError. */
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

/** Our own promises about the data: arrays that stand together have one length, and times ascend. */
export function checkReportData(data: ReportData): void {
  const { equity, drawdown, attribution, attributionUsd, days } = data
  const { quotes, fills, inventory, competition, spreads, uptime } = data
  const groups: Readonly<
    Record<string, { readonly t: Float64Array; readonly others: readonly { readonly length: number }[] }>
  > = {
    equity: { t: equity.t, others: [equity.usd, equity.low, equity.high, equity.holding, equity.half] },
    drawdown: { t: drawdown.t, others: [drawdown.usd] },
    attribution: { t: attribution.t, others: attribution.terms.map(({ tzs }) => tzs) },
    'attribution in dollars': {
      t: attributionUsd.t,
      others: [
        attributionUsd.edge,
        attributionUsd.inventory,
        attributionUsd.costs,
        attributionUsd.unreconciled,
      ],
    },
    days: { t: days.t, others: [days.pnlUsd, days.lessHoldingUsd, days.fills] },
    spreads: { t: spreads.bps, others: [spreads.days, spreads.fills] },
    quotes: { t: quotes.t, others: [quotes.mid, quotes.fair, quotes.bid, quotes.ask] },
    fills: { t: fills.t, others: [fills.price, fills.usd, fills.edgeBps, fills.bid, fills.synthetic] },
    inventory: { t: inventory.t, others: [inventory.usdShare] },
    competition: {
      t: competition.t,
      others: [competition.ownBid, competition.ownAsk, competition.otherBid, competition.otherAsk],
    },
    uptime: { t: uptime.t, others: [uptime.bid, uptime.ask] },
  }
  for (const [name, { t, others }] of Object.entries(groups)) {
    invariant(
      others.every(({ length }) => length === t.length),
      `the report's ${name} has arrays of different lengths`,
    )
    invariant(ascends(t), `the report's ${name} has times that do not ascend`)
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
