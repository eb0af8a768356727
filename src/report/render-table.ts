import { markup, type Markup } from './markup.ts'
import type { ReportData } from './report-data.ts'

const NUMBER = /^[-+−±]?[\d.,\s]*\d([.,\d\s]|e[-+]?\d)*\s?(%|bps|USD|TZS|ms|s|h|days?)?$/i

/** A table in a box of its own, which scrolls where the table is too wide. A column of figures stands to the right. */
export function renderTable({ title, head, rows }: ReportData['tables'][number]): Markup {
  if (rows.length === 0)
    return markup`<section class="table"><h2>${title}</h2><p class="words">Nothing to show.</p></section>\n`
  const width = Math.max(head.length, ...rows.map(({ length }) => length))
  const isNumbers = Array.from({ length: width }, (_, column) => holdsNumbers(rows, column))
  const headCells = head.map((name, column) => cell('col', name, isNumbers[column] === true))
  return markup`<section class="table"><h2>${title}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table>
${head.length === 0 ? null : markup`<thead><tr>${headCells}</tr></thead>`}
<tbody>
${rows.map((row) => markup`<tr>${row.map((text, column) => cell(column === 0 ? 'row' : null, text, isNumbers[column] === true))}</tr>\n`)}</tbody>
</table></div></section>
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
