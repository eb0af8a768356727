import { checkReportData } from './check-report-data.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import type { Figure } from './figure.ts'
import { attributionFigure } from './figures/attribution-figure.ts'
import { competitionFigure } from './figures/competition-figure.ts'
import { drawdownFigure } from './figures/drawdown-figure.ts'
import { equityFigure } from './figures/equity-figure.ts'
import { inventoryFigure } from './figures/inventory-figure.ts'
import { markoutFigure } from './figures/markout-figure.ts'
import { quotesFigure } from './figures/quotes-figure.ts'
import { uptimeFigure } from './figures/uptime-figure.ts'
import { markup, type Markup } from './markup.ts'
import { packCharts } from './pack-charts.ts'
import { pageAssets } from './page-assets.ts'
import { renderFigure } from './render-figure.ts'
import { renderTable } from './render-table.ts'
import type { ReportData } from './report-data.ts'

/**
 * The report as one HTML file that needs nothing else: no network, no folder beside it. Its policy lets only
 * its own two scripts and its style run. Equal data gives equal text. Data that breaks the promises of
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
  const { chartScript, pageScript, style } = pageAssets()
  const policy = contentSecurityPolicy([chartScript, pageScript], [style])
  // What stands between the tags of a script is not escaped: it is our own text and base64.
  return [
    head(data.title, policy).html,
    `<style>${style}</style>\n</head>\n`,
    bodyOf(data, figures).html,
    `<script type="application/octet-stream" id="data">${packCharts(figures)}</script>\n`,
    `<script>${chartScript}</script>\n`,
    `<script type="module">${pageScript}</script>\n`,
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
