import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseDocument } from 'yaml'
import { renderTable } from '../markup.ts'
import { markup, type Markup } from '../../../base/text/markup.ts'
import type { Front, FrontPoint } from '../../sweep/search/front.ts'
import type { Objective } from '../../sweep/search/objectives.ts'
import { type VariantChanges, shortKey, valueText, variantChanges } from '../../sweep/variant.ts'
import { columnsOf, combinationText, metricText, worldsText } from './front-text.ts'

/**
 * Renders a front as one self-contained HTML file without a script: a picture of every pair of objectives, whose points link
 * to a variant's comparison with the unchanged configuration and to its configuration as a file.
 */
export function frontPage(front: Front, configFile: string): string {
  const { objectives, tried, grounds, combination, worlds } = front
  const over = grounds.length === 1 ? grounds[0]! : `${grounds.join(', ')} (${combinationText(combination)})`
  const intro = `Of ${tried} variants over ${over} these ${front.front.length} are the front: no variant is better than them in every objective. Choose a point or a row; save its file next to ${basename(configFile)}, because its paths are relative.`
  const text = readFileSync(configFile, 'utf8')
  const pairs = objectives.flatMap((one, i) => objectives.slice(i + 1).map((other) => [one, other] as const))
  const { html } = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>mizani sweep: the front</title><style>${STYLE}</style></head><body><main>
<h1>The front</h1><p class="words">${intro}</p>
${worlds === undefined ? null : markup`<p class="words">Simulated markets: ${worldsText(worlds)}.</p>`}
${front.front.length === 0 ? markup`<p class="words"><b>No variant meets the constraints.</b></p>` : null}
<div class="pictures">${pairs.map(([x, y]) => picture(front, x, y))}</div>
${listOf(front)}
${front.front.map((point) => detail(front, point, { text, name: basename(configFile) }))}
</main></body></html>
`
  return html
}

const WIDTH = 460
const HEIGHT = 320
const EDGE = { left: 64, right: 18, top: 14, bottom: 46 }
const TICKS = 4

/** Picture of two objectives: every point of the front is a link, the unchanged configuration is a ring. */
function picture(front: Front, x: Objective, y: Objective): Markup {
  const points = [front.unchanged, ...front.front].filter((point) =>
    [x, y].every(({ metric }) => point.metrics[metric] !== null),
  )
  const across = scaleOf(points, x, [EDGE.left, WIDTH - EDGE.right])
  const up = scaleOf(points, y, [HEIGHT - EDGE.bottom, EDGE.top])
  const title = `${x.metric} (${x.goal}) and ${y.metric} (${y.goal})`
  const at = (point: FrontPoint) => [across.place(point).toFixed(1), up.place(point).toFixed(1)] as const
  const marks = points.map((point) => {
    const [cx, cy] = at(point)
    if (point === front.unchanged)
      return markup`<circle class="unchanged" cx="${cx}" cy="${cy}" r="7"><title>unchanged</title></circle>`
    return markup`<a href="#variant-${point.variant}"><circle class="point" cx="${cx}" cy="${cy}" r="6"><title>${point.label}</title></circle></a>`
  })
  return markup`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
${across.ticks.map(({ value, place }) => markup`<line class="grid" x1="${place}" x2="${place}" y1="${EDGE.top}" y2="${HEIGHT - EDGE.bottom}"/><text x="${place}" y="${HEIGHT - EDGE.bottom + 18}" text-anchor="middle">${value}</text>`)}
${up.ticks.map(({ value, place }) => markup`<line class="grid" y1="${place}" y2="${place}" x1="${EDGE.left}" x2="${WIDTH - EDGE.right}"/><text x="${EDGE.left - 8}" y="${place}" dy="4" text-anchor="end">${value}</text>`)}
<text class="name" x="${(EDGE.left + WIDTH - EDGE.right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${x.metric}</text>
<text class="name" transform="rotate(-90)" x="${-(EDGE.top + HEIGHT - EDGE.bottom) / 2}" y="12" text-anchor="middle">${y.metric}</text>
${marks}</svg></figure>`
}

type Scale = {
  readonly place: (point: FrontPoint) => number
  readonly ticks: readonly { readonly value: string; readonly place: string }[]
}

function scaleOf(
  points: readonly FrontPoint[],
  { metric }: Objective,
  [from, to]: readonly [number, number],
): Scale {
  const values = points.map((point) => point.metrics[metric]!)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const margin = (high - low) * 0.06 || Math.abs(high) * 0.05 || 1
  const [first, last] = [low - margin, high + margin]
  const place = (value: number): number => from + ((value - first) / (last - first)) * (to - from)
  return {
    place: (point) => place(point.metrics[metric]!),
    ticks: Array.from({ length: high > low ? TICKS + 1 : 1 }, (_, i) => {
      const value = low + ((high - low) * i) / TICKS
      return { value: metricText(value), place: place(value).toFixed(1) }
    }),
  }
}

function listOf(front: Front): Markup {
  const names = columnsOf(front)
  const row = (point: FrontPoint, name: Markup): Markup =>
    markup`<tr><th scope="row">${name}</th>${names.map((metric) => markup`<td>${metricText(point.metrics[metric] ?? null)}</td>`)}<td class="label">${point.label}</td></tr>
`
  return markup`<section><h2>Every variant of it</h2><div class="scroll" tabindex="0" role="region" aria-label="Every variant of the front"><table>
<thead><tr><th scope="col">Variant</th>${names.map((name) => markup`<th scope="col">${name}</th>`)}<th scope="col" class="label">VariantChanges</th></tr></thead>
<tbody>${row(front.unchanged, markup`unchanged`)}${front.front.map((point) => row(point, markup`<a href="#variant-${point.variant}">${point.variant}</a>`))}</tbody></table></div></section>`
}

function detail(
  front: Front,
  point: FrontPoint,
  { text, name }: { readonly text: string; readonly name: string },
): Markup {
  const yaml = changedYaml(text, point.changes)
  const file = `${name.replace(/\.ya?ml$/, '')}-variant-${point.variant}.yaml`
  const link = `data:application/yaml;base64,${Buffer.from(yaml).toString('base64')}`
  const values = Object.entries(point.changes).map(([path, value]) => [
    shortKey(path),
    presentText(text, path),
    valueText(value),
  ])
  const measured = columnsOf(front).map((metric) => [
    metric,
    metricText(front.unchanged.metrics[metric] ?? null),
    metricText(point.metrics[metric] ?? null),
    ...(front.grounds.length === 1
      ? []
      : front.grounds.map((ground) => metricText(point.byGround[ground]?.[metric] ?? null))),
  ])
  const grounds = front.grounds.length === 1 ? [] : front.grounds.map((ground) => `Here: ${ground}`)
  return markup`<section class="detail" id="variant-${point.variant}" aria-label="Variant ${point.variant}">
<h2>Variant ${point.variant} beside the configuration as it is</h2>
<p class="words">Tried in generation ${point.generation + 1}. <a class="save" download="${file}" href="${link}">Save ${file}</a> <a href="#">Back to the front</a></p>
${renderTable({ title: 'Objectives and constraints', head: ['Metric', 'Unchanged', 'Here', ...grounds], rows: measured })}
${renderTable({ title: 'Parameters', head: ['Key', 'In the file', 'Here'], rows: values })}
<pre tabindex="0">${yaml}</pre></section>`
}

/** Returns the file with the changes applied and its comments kept. */
export function changedYaml(text: string, changes: VariantChanges): string {
  const document = parseDocument(text)
  for (const [path, value] of Object.entries(variantChanges(changes)))
    document.setIn(path.split('.'), document.createNode(value, { flow: true }))
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

function presentText(text: string, path: string): string {
  const value: unknown = parseDocument(text).getIn(path.split('.'))
  return value === undefined
    ? 'its default'
    : typeof value === 'number'
      ? valueText(value)
      : JSON.stringify(value)
}

const STYLE = {
  html: `
:root{color-scheme:light dark;--ink:#1b1f24;--quiet:#59636e;--paper:#fff;--line:#d5dbe1;--head:#f2f4f7;--point:#0969da;--ring:#b35900}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--quiet:#9aa4af;--paper:#0d1117;--line:#3d444d;--head:#161b22;--point:#58a6ff;--ring:#ffa657}}
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:0}
main{max-width:1200px;margin:0 auto;padding:16px}
h1{font-size:24px}h2{font-size:17px;margin:28px 0 8px}
.words{color:var(--quiet);max-width:75ch}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(340px,100%),1fr));gap:16px}
figure{margin:0}figcaption{color:var(--quiet);margin-bottom:4px}
svg{width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--quiet)}svg .name{fill:var(--ink)}
.grid{stroke:var(--line);stroke-width:1}
.point{fill:var(--point);fill-opacity:.75;stroke:var(--paper)}a:hover .point,a:focus .point{fill:var(--ring);fill-opacity:1}
.unchanged{fill:none;stroke:var(--ring);stroke-width:3}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;white-space:nowrap}
th,td{padding:5px 9px;border:1px solid var(--line);text-align:right}
th:first-child,td:first-child,th[scope=row],.label{text-align:left}
thead th{background:var(--head)}
a{color:var(--point)}.save{font-weight:600;margin-right:12px}
.detail{display:none}.detail:target{display:block;border-top:2px solid var(--ring);margin-top:28px}
pre{overflow-x:auto;border:1px solid var(--line);padding:10px;font:13px/1.4 ui-monospace,monospace}`,
}
