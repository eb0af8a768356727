import {
  type Chart,
  type ChartLine,
  type Figure,
  figureText,
  type PlaneChart,
  type TimeChart,
} from './figures/figure.ts'
import type { ReportTable } from './report-data.ts'
import { markup, type Markup } from '../../base/text/markup.ts'

/**
 * Renders a figure's title, its text, its legend with the last value of each line, and the box for the chart. Screen readers
 * read the text instead of the chart. Without a chart only the text is shown.
 */
export function renderFigure(figure: Figure): Markup {
  const { id, title, unit, size = 'half', height = 'middle', chart, table } = figure
  const words = keepUnitsByTheirFigures(figure.words)
  const heading = markup`<figcaption>
<h2 id="${id}-title">${title} <small>${unit}</small></h2>
<p class="words">${words}</p>`
  if (chart === null)
    return markup`<figure class="${size} nothing" aria-labelledby="${id}-title">${heading}</figcaption>${tableOf(table)}</figure>`
  return markup`<figure class="${size}" data-chart="${id}" aria-labelledby="${id}-title">
${heading}
<ul class="legend">${legendOf(chart, figure.digits)}</ul>
</figcaption>
<div class="plot ${height}" tabindex="0" role="img" aria-label="${title}, ${unit}. ${words}" aria-describedby="keys"></div>
${tableOf(table)}</figure>
`
}

function tableOf(table: ReportTable | undefined): Markup | null {
  return table === undefined || table.rows.length === 0 ? null : renderTable(table)
}

function keepUnitsByTheirFigures(text: string): string {
  return text.replaceAll(/(?<=\d) (?=%|USD|TZS|bps)/g, '\u00a0')
}

/** Live elements (`when`, `near`, the values) show these texts at rest, so that the layout does not move when they change. */
function legendOf(chart: Chart, digits: number): readonly Markup[] {
  if ('noteOf' in chart) {
    const hint =
      chart.kind === 'points'
        ? `Below each point: its number of ${chart.noteOf}.`
        : 'Point at a row to read its figures.'
    return [
      entry('dot blue', 'Mean'),
      ...(chart.points.some(({ interval = null }) => interval !== null)
        ? [entry('whisker blue', '90 % interval')]
        : []),
      markup`<li class="when line">${hint}</li>`,
    ]
  }
  const lines = chart.lines.map((line, index) => lineEntry(line, index, digits, chart.kind === 'days'))
  const when = markup`<li class="when">${REST[chart.kind]}</li>`
  if (chart.kind === 'days') return [...lines, when]
  if (chart.kind === 'plane') return [...lines, ...planeEntries(chart), when]
  return [...lines, ...extrasOf(chart, digits), when, ...hintsOf(chart)]
}

/** Point whose values a legend shows while no pointer is over the chart. */
const REST = { days: 'Last day', time: 'At the end', plane: 'At the right' } as const

function planeEntries({ band, points }: PlaneChart): readonly Markup[] {
  return [
    ...(band ? [entry('area blue', band.name)] : []),
    ...(points ? [entry('dot red', points.name)] : []),
  ]
}

/** A button, because a line can be hidden to see the others. */
function lineEntry(line: ChartLine, index: number, digits: number, bar: boolean): Markup {
  const { name, colour, stroke = 'solid', values } = line
  const last = values.findLast(Number.isFinite)
  const shape = bar ? 'block' : stroke
  return markup`<li><button type="button" data-line="${index + 1}" aria-pressed="true"><i class="${shape} ${colour}"></i><span>${name}</span> <b>${last === undefined ? 'none' : figureText(last, digits)}</b></button></li>`
}

function extrasOf({ band, level, markers }: TimeChart, digits: number): readonly Markup[] {
  const low = band?.low.findLast(Number.isFinite) ?? NaN
  const high = band?.high.findLast(Number.isFinite) ?? NaN
  const range = `${figureText(low, digits)} to ${figureText(high, digits)}`
  return [
    ...(band
      ? [
          markup`<li><span class="entry" data-band><i class="area blue"></i><span>${band.name}</span> <b>${range}</b></span></li>`,
        ]
      : []),
    ...(level?.name === undefined ? [] : [entry('dotted ink', level.name)]),
    ...(markers ? markerEntries(markers) : []),
  ]
}

/** The line that describes the fill under the pointer. */
function hintsOf({ markers }: TimeChart): readonly Markup[] {
  if (!markers) return []
  const largest = markers.usd.reduce((most, usd) => Math.max(most, Number.isFinite(usd) ? usd : 0), 0)
  return [
    markup`<li class="near line">The area of a marker is proportional to its dollars; the largest: ${figureText(largest, 0)}\u00a0USD.</li>`,
  ]
}

function markerEntries(markers: NonNullable<TimeChart['markers']>): readonly Markup[] {
  const hasSynthetic = markers.flags.some((flags) => (flags & 2) !== 0)
  return [
    entry('dot blue', 'Fill at the bid'),
    entry('dot red', 'Fill at the ask'),
    ...(hasSynthetic ? [entry('ring grey', 'Synthetic fill')] : []),
  ]
}

function entry(swatch: string, name: string): Markup {
  return markup`<li><span class="entry"><i class="${swatch}"></i><span>${name}</span></span></li>`
}

const NUMBER = /^[-+−±]?[\d.,\s]*\d([.,\d\s]|e[-+]?\d)*\s?(%|bps|USD|TZS|ms|s|h|days?)?$/i

/**
 * Renders a table in its own box, which scrolls if the table is too wide. Figures are right-aligned. A folded table shows
 * only its title until it is opened.
 */
export function renderTable({ title, head, rows, folded = false }: ReportTable): Markup {
  const heading = markup`<h2>${title}</h2>`
  if (rows.length === 0)
    return markup`<section class="table">${heading}<p class="words">Nothing to show.</p></section>\n`
  const width = Math.max(head.length, ...rows.map(({ length }) => length))
  const isNumbers = Array.from({ length: width }, (_, column) => holdsNumbers(rows, column))
  const headCells = head.map((name, column) => cell('col', name, isNumbers[column] === true))
  const box = markup`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table>
${head.length === 0 ? null : markup`<thead><tr>${headCells}</tr></thead>`}
<tbody>
${rows.map((row) => markup`<tr>${row.map((text, column) => cell(column === 0 ? 'row' : null, text, isNumbers[column] === true))}</tr>\n`)}</tbody>
</table></div>`
  return folded
    ? markup`<details class="table"><summary>${title}</summary>${box}</details>\n`
    : markup`<section class="table">${heading}
${box}</section>
`
}

function holdsNumbers(rows: readonly (readonly string[])[], column: number): boolean {
  const texts = rows.map((row) => row[column] ?? '').filter((text) => text !== '')
  return column > 0 && texts.length > 0 && texts.every((text) => NUMBER.test(text))
}

function cell(headerOf: 'col' | 'row' | null, text: string, isNumber: boolean): Markup {
  if (headerOf === 'row') return markup`<th scope="row">${text}</th>`
  if (headerOf === 'col')
    return isNumber
      ? markup`<th scope="col" class="number">${text}</th>`
      : markup`<th scope="col">${text}</th>`
  return isNumber ? markup`<td class="number">${text}</td>` : markup`<td>${text}</td>`
}
