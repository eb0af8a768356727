import { markup, type Markup } from '../../base/text/markup.ts'

/** A table with coloured cells, readable without the colours too. */
type HeatTable = {
  readonly title: string
  /** Explains the colours and the framed cell. */
  readonly words: string
  /** Heading of the row names. */
  readonly corner: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly name: string; readonly cells: readonly HeatCell[] }[]
}

/** Null = an empty cell. */
export type HeatCell = {
  readonly text: string
  readonly note?: string
  /** -1 (full red) to 1 (full blue); larger values are clamped, NaN has no colour. */
  readonly share: number
  readonly isBest: boolean
} | null

const STEPS = 8

/** The page's policy allows no style attribute, so each cell's colour is a class of page/heat.css. */
export function renderHeatTable({ title, words, corner, columns, rows }: HeatTable): Markup {
  if (rows.length === 0 || columns.length === 0)
    return markup`<section class="heat"><h2>${title}</h2><p class="words">Nothing to show.</p></section>
`
  return markup`<section class="heat"><h2>${title}</h2><p class="words">${words}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table>
<thead><tr><th scope="col">${corner}</th>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows.map(({ name, cells }) => markup`<tr><th scope="row">${name}</th>${cells.map(renderCell)}</tr>\n`)}</tbody>
</table></div></section>
`
}

function renderCell(cell: HeatCell): Markup {
  if (cell === null) return markup`<td>–</td>`
  const { text, note, isBest } = cell
  const classes = [colourClass(cell.share), ...(isBest ? ['best'] : [])].filter((name) => name !== '')
  return markup`<td class="${classes.join(' ')}"><b>${text}</b>${note === undefined ? null : markup`<small>${note}</small>`}</td>`
}

function colourClass(share: number): string {
  const step = Math.min(STEPS, Math.round(Math.abs(share) * STEPS))
  return step > 0 ? `${share > 0 ? 'earn' : 'lose'}-${step}` : ''
}
