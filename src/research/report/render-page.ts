import { createHash } from 'node:crypto'
import type { Figure } from './figures/figure.ts'
import { renderFigure, renderTable } from './markup.ts'
import { markup, type Markup } from '../../base/text/markup.ts'
import { packCharts } from './pack-charts.ts'
import { pageAssets } from './page-assets.ts'
import type { ReportData, ReportTable } from './report-data.ts'

/** Parts of every report page, in order. All text is escaped because it may be untrusted. */
type Page = {
  readonly title: string
  readonly warnings: readonly string[]
  readonly headline: ReportData['headline']
  /** Tables above the charts, such as a heatmap. */
  readonly lead?: readonly Markup[]
  readonly figures: readonly Figure[]
  readonly tables: readonly ReportTable[]
}

/**
 * Renders a page as one self-contained HTML file: no network, no other files. Its policy allows only its own script and
 * style. Equal pages give equal text.
 */
export function renderPage(page: Page): string {
  const { script, style } = pageAssets()
  const policy = contentSecurityPolicy([script], [style])
  // The contents of script tags are not escaped: our own text and base64.
  return [
    head(page.title, policy).html,
    `<style>${style}</style>\n</head>\n`,
    bodyOf(page).html,
    `<script type="application/octet-stream" id="data">${packCharts(page.figures)}</script>\n`,
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

function bodyOf({ title, warnings, headline, lead = [], figures, tables }: Page): Markup {
  return markup`<body>
<main>
<header><h1>${title}</h1></header>
${warningList(warnings)}
${headlineList(headline)}
${lead}
<noscript><p class="words">The charts need JavaScript. What matters of each stands below its title.</p></noscript>
<div class="figures">
${figures.map(renderFigure)}</div>
<div class="tables">
${tables.map(renderTable)}</div>
<footer>
<p id="keys">In a chart: drag to zoom in, double-click to see everything again. With the keyboard: left and right move the cursor (with Shift by ten), plus and minus zoom, Escape shows everything. Times are UTC.</p>
<p>Written by mizani. Charts by uPlot. This file loads nothing and sends nothing.</p>
</footer>
</main>
<div id="zoom" hidden><span></span><button type="button">Show everything</button></div>
<p id="said" role="status"></p>
`
}

function warningList(texts: readonly string[]): Markup | null {
  if (texts.length === 0) return null
  const title = texts.length === 1 ? 'Warning' : `${texts.length} warnings`
  return markup`<section class="warnings" aria-labelledby="warnings-title"><h2 id="warnings-title">${title}</h2>
<ul>${texts.map((text) => markup`<li>${text}</li>\n`)}</ul></section>`
}

function headlineList(entries: ReportData['headline']): Markup | null {
  if (entries.length === 0) return null
  return markup`<dl class="headline">${entries.map(
    ({ label, value, note }) =>
      markup`<div><dt>${label}</dt><dd>${value}</dd>${note === undefined ? null : markup`<dd class="note">${note}</dd>`}</div>
`,
  )}</dl>`
}

/**
 * Returns the policy of a self-contained page: it loads and sends nothing, and only scripts and styles with exactly
 * these texts run. Allows `data:` pictures for the empty icon, without which browsers request one from a server.
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
