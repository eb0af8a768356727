import type { Figure } from './figures/figure.ts'
import { attributionFigure, drawdownFigure, equityFigure } from './figures/pnl.ts'
import { competitionFigure, quotesFigure, uptimeFigure } from './figures/quotes.ts'
import { inventoryFigure, markoutFigure } from './figures/inventory.ts'
import { markup, type Markup, renderFigure, renderTable } from './markup.ts'
import { packCharts } from './pack-charts.ts'
import { pageAssets } from './page-assets.ts'
import type { ReportData } from './report-data.ts'
import { invariant } from '../base/result.ts'
import { createHash } from 'node:crypto'

/**
 * The report as one HTML file that needs nothing else: no network, no folder beside it. Its policy lets only
 * its own script and its style run. Equal data gives equal text. Data that breaks the promises of
 * ReportData throws an InvariantError.
 */
export function renderReport(data: ReportData): string {
  checkReportData(data)
  const figures: readonly Figure[] = [
    equityFigure(data),
    drawdownFigure(data),
    attributionFigure(data),
    quotesFigure(data),
    inventoryFigure(data),
    markoutFigure(data),
    competitionFigure(data, 'bid'),
    competitionFigure(data, 'ask'),
    uptimeFigure(data),
  ]
  const { script, style } = pageAssets()
  const policy = contentSecurityPolicy([script], [style])
  // What stands between the tags of a script is not escaped: it is our own text and base64.
  return [
    head(data.title, policy).html,
    `<style>${style}</style>\n</head>\n`,
    bodyOf(data, figures).html,
    `<script type="application/octet-stream" id="data">${packCharts(figures)}</script>\n`,
    `<script type="module">${script}</script>\n`,
    '</body>\n</html>\n',
  ].join('')
}

function head(title: string, policy: string): Markup {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
`
}

function bodyOf(data: ReportData, figures: readonly Figure[]): Markup {
  return markup`<body>
<main>
<header><h1>${data.title}</h1></header>
${warnings(data.warnings)}
${headline(data.headline)}
<noscript><p class="words">The charts need JavaScript. What matters of each stands below its title.</p></noscript>
<div class="figures">
${figures.map(renderFigure)}</div>
<div class="tables">
${data.tables.map(renderTable)}</div>
<footer>
<p id="keys">In a chart: drag to zoom in, double-click to see everything again. With the keyboard: left and right move the cursor (with Shift by ten), plus and minus zoom, Escape shows everything. Times are UTC.</p>
<p>Written by mizani. Charts by uPlot. This file loads nothing and sends nothing.</p>
</footer>
</main>
<div id="zoom" hidden><span></span><button type="button">Show everything</button></div>
<p id="said" role="status"></p>
`
}

function warnings(texts: readonly string[]): Markup | null {
  if (texts.length === 0) return null
  const title = texts.length === 1 ? 'Warning' : `${texts.length} warnings`
  return markup`<section class="warnings" aria-labelledby="warnings-title"><h2 id="warnings-title">${title}</h2>
<ul>${texts.map((text) => markup`<li>${text}</li>\n`)}</ul></section>`
}

function headline(entries: ReportData['headline']): Markup | null {
  if (entries.length === 0) return null
  return markup`<dl class="headline">${entries.map(
    ({ label, value, note }) =>
      markup`<div><dt>${label}</dt><dd>${value}</dd>${note === undefined ? null : markup`<dd class="note">${note}</dd>`}</div>
`,
  )}</dl>`
}

/** Our own promises about the data: arrays that stand together have one length, and times ascend. */
export function checkReportData(data: ReportData): void {
  const { equity, drawdown, attribution, quotes, fills, inventory, competition, uptime } = data
  const groups: Readonly<
    Record<string, { readonly t: Float64Array; readonly others: readonly { readonly length: number }[] }>
  > = {
    equity: { t: equity.t, others: [equity.usd, equity.low, equity.high] },
    drawdown: { t: drawdown.t, others: [drawdown.usd] },
    attribution: { t: attribution.t, others: attribution.terms.map(({ tzs }) => tzs) },
    quotes: { t: quotes.t, others: [quotes.mid, quotes.fair, quotes.bid, quotes.ask] },
    fills: { t: fills.t, others: [fills.price, fills.usd, fills.bid, fills.synthetic] },
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

/**
 * The policy of a page that is whole in itself: nothing is loaded, nothing is sent, and only the scripts and
 * styles with these very texts run. `data:` pictures are allowed for the empty icon that keeps browsers from
 * asking a server for one.
 */
function contentSecurityPolicy(scripts: readonly string[], styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(' ')}`,
    `style-src ${styles.map(hashOf).join(' ')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
