import { type Markup, markup, renderTable } from '../../../report/markup.ts'
import type { Standing, TournamentResult } from '../../../tournament/summarise.ts'
import { differenceRows, usd } from './render.ts'

/** What the colours of a cell say, beside its figures. */
const FULL_COLOUR_USD = 2_000

/** A tournament as one HTML file that needs nothing else: the heatmap, the split of the PnL, the paired differences. */
export function tournamentPage(result: TournamentResult): string {
  const { seeds, firstSeed, days, baselines } = result.settings
  const intro = `Mean PnL over ${days} days on ${seeds} test seeds from ${firstSeed}, USD, with its standard error and the share of losing seeds. Every strategy meets the same worlds.`
  const { html } = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>mizani tournament</title><style>${STYLE}</style></head><body><main>
<h1>Tournament</h1><p class="words">${intro}</p>
${heatmap(result)}
${baselines.map((baseline) => differences(result, baseline))}
${result.scenarios.map(({ name, standings }) => split(name, standings))}
</main></body></html>
`
  return html
}

function heatmap({ scenarios }: TournamentResult): Markup {
  const names = scenarios[0]?.standings.map(({ strategy }) => strategy) ?? []
  return markup`<section><h2>PnL by scenario</h2><div class="scroll" tabindex="0" role="region" aria-label="PnL by scenario"><table class="heat">
<thead><tr><th scope="col">Scenario</th>${names.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${scenarios.map(
    ({ name, standings }) =>
      markup`<tr><th scope="row">${name}</th>${standings.map((one) => cell(one, standings))}</tr>
`,
  )}</tbody></table></div>
<p class="words">Blue earns, red loses, full colour at ${usd(FULL_COLOUR_USD)} USD; framed is the best of the scenario.</p></section>`
}

function cell({ pnl, losing }: Standing, row: readonly Standing[]): Markup {
  const share = Math.min(1, Math.abs(pnl.mean) / FULL_COLOUR_USD)
  const hue = pnl.mean >= 0 ? 212 : 8
  const isBest = row.every((other) => other.pnl.mean <= pnl.mean)
  const style = `background:hsl(${hue} 65% ${(94 - 34 * share).toFixed(0)}%)`
  const losses = `loses in ${(100 * losing.share).toFixed(0)} %`
  return markup`<td class="${isBest ? 'best' : ''}" style="${style}"><b>${usd(pnl.mean)}</b> &plusmn; ${usd(pnl.se)}<br><small>${losses}</small></td>`
}

function split(scenario: string, standings: readonly Standing[]): Markup {
  const head = [
    'Strategy',
    'PnL',
    'Retail edge',
    'Informed edge',
    'Restocking',
    'Carry',
    'Drawdown',
    'Worst 1 % of days',
    'Inventory',
    'Empty side',
    'Fills a day',
    'Chosen on training seeds',
    'There',
    'Luck of the best',
  ]
  const rows = standings.map(
    ({ strategy, pnl, parts, drawdown, worstDaysUsd, inventoryUsd, emptyShare, fillsADay, tuning }) => [
      strategy,
      usd(pnl.mean),
      usd(parts.retailUsd),
      usd(parts.informedUsd),
      usd(parts.restockingUsd),
      usd(parts.carryUsd),
      usd(drawdown.meanUsd),
      usd(worstDaysUsd),
      usd(inventoryUsd),
      `${(100 * emptyShare).toFixed(0)} %`,
      fillsADay.toFixed(1),
      tuning?.chosen ?? 'not tuned',
      tuning === null ? '' : usd(tuning.trainingUsd),
      tuning === null ? '' : usd(tuning.luckUsd),
    ],
  )
  return renderTable({ title: scenario, head, rows })
}

function differences(result: TournamentResult, baseline: string): Markup {
  const head = [
    'Scenario',
    'Strategy',
    'Difference',
    'Standard error',
    't',
    'p, Holm',
    'p, step-down',
    'sd paired',
    'sd unpaired',
  ]
  const title = `Against ${baseline}, seed by seed, USD`
  return renderTable({ title, head, rows: differenceRows(result, baseline) })
}

const STYLE = {
  html: `
:root{color-scheme:light}
body{font:15px/1.45 system-ui,sans-serif;color:#1b1f24;background:#fff;margin:0}
main{max-width:1200px;margin:0 auto;padding:16px}
h1{font-size:24px}h2{font-size:17px;margin:28px 0 8px}
.words{color:#4a535d;max-width:75ch}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;white-space:nowrap}
th,td{padding:5px 9px;border:1px solid #d5dbe1;text-align:right}
th:first-child,td:first-child,th[scope=row]{text-align:left}
thead th{background:#f2f4f7}
.heat td.best{outline:3px solid #b35900;outline-offset:-3px}
small{color:#33393f}`,
}
