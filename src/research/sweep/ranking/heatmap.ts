import { moments } from '../../../core/models/sample-statistics.ts'
import { rankScoreOf, type RankedVariant } from './rank-variants.ts'
import { type JsonValue, shortKey, valueText } from '../variant.ts'
import { markup, type Markup } from '../../../base/text/markup.ts'

/** Values of one parameter, or ranges of them if there are too many for a picture. */
type HeatmapAxis = { readonly path: string; readonly levels: readonly string[] }

/** The best score at each pair of levels, over all other parameters. */
export type Heatmap = {
  /** Down and across; `rows` is null if only one parameter varies. */
  readonly rows: HeatmapAxis | null
  readonly columns: HeatmapAxis
  /** By row, then by column; null = no such variant. */
  readonly cells: readonly (readonly HeatmapCell[])[]
}

export type HeatmapCell = { readonly variant: number; readonly score: number } | null

const MAX_LEVELS = 10

/**
 * Returns a map over two parameters: those in `chosen`, or the two that matter most by the variance of the best score
 * between their levels. Excludes the unchanged configuration unless it is a point of the grid. Null = no parameter varies.
 */
export function heatmapOf(variants: readonly RankedVariant[], chosen: readonly string[]): Heatmap | null {
  const changed = variants.filter(({ changes }) => Object.keys(changes).length > 0)
  const asGiven = [...changed].sort((a, b) => a.variant - b.variant)
  const paths = [...new Set(asGiven.flatMap(({ changes }) => Object.keys(changes)))]
  const axes = paths.map((path) => axisOf(path, asGiven)).filter(({ levels }) => levels.length > 1)
  const byWeight = [...axes].sort((a, b) => weightOf(b, changed) - weightOf(a, changed))
  const picked = [...axes.filter(({ path }) => chosen.includes(path)), ...byWeight]
  const [first, second] = [...new Set(picked)].slice(0, 2)
  if (first === undefined) return null
  if (second === undefined) {
    const { path, levels } = first
    return { rows: null, columns: { path, levels }, cells: [bestBy(first, changed)] }
  }
  const cells = first.levels.map((_, row) =>
    bestBy(
      second,
      changed.filter((variant) => first.levelOf(variant) === row),
    ),
  )
  return {
    rows: { path: first.path, levels: first.levels },
    columns: { path: second.path, levels: second.levels },
    cells,
  }
}

type Axis = HeatmapAxis & {
  /** Returns the level of a variant; -1 = it does not change this parameter. */
  readonly levelOf: (variant: RankedVariant) => number
}

function axisOf(path: string, variants: readonly RankedVariant[]): Axis {
  const values = variants.flatMap(({ changes }) => {
    const value = changes[path]
    return value === undefined ? [] : [value]
  })
  const numbers = values.filter((value) => typeof value === 'number')
  const distinct = [...new Set(numbers)].sort((a, b) => a - b)
  const isNumeric = numbers.length === values.length
  return isNumeric && distinct.length > MAX_LEVELS
    ? rangesOf(path, distinct)
    : levelsOf(path, values, distinct)
}

function levelsOf(path: string, values: readonly JsonValue[], numbers: readonly number[]): Axis {
  const others = values.filter((value) => typeof value !== 'number').map((value) => JSON.stringify(value))
  const keys = [...numbers.map((value) => JSON.stringify(value)), ...new Set(others)]
  return {
    path,
    levels: keys.map((key) => valueText(JSON.parse(key) as JsonValue)),
    levelOf: ({ changes }) => keys.indexOf(JSON.stringify(changes[path])),
  }
}

/** Returns ranges of equal width. */
function rangesOf(path: string, sorted: readonly number[]): Axis {
  const low = sorted[0] ?? 0
  const width = ((sorted.at(-1) ?? 0) - low) / MAX_LEVELS
  const levels = Array.from(
    { length: MAX_LEVELS },
    (_, i) => `${shortNumber(low + i * width)}..${shortNumber(low + (i + 1) * width)}`,
  )
  return {
    path,
    levels,
    levelOf({ changes }) {
      const value = changes[path]
      if (typeof value !== 'number') return -1
      return Math.min(MAX_LEVELS - 1, Math.floor((value - low) / width))
    },
  }
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(3)))
}

/** Variants come best first, so the first one at a level is its best. */
function bestBy(axis: Axis, variants: readonly RankedVariant[]): readonly HeatmapCell[] {
  return axis.levels.map((_, level) => {
    const best = variants.find((variant) => axis.levelOf(variant) === level)
    return best === undefined ? null : { variant: best.variant, score: rankScoreOf(best.daily) }
  })
}

function weightOf(axis: Axis, variants: readonly RankedVariant[]): number {
  const scores = bestBy(axis, variants).flatMap((cell) => cell?.score ?? [])
  return moments(scores).sd ** 2
}

const CELL = { width: 84, height: 34 }
const LEFT = 150
const TOP = 76
const RIGHT = 24
const BOTTOM = 44

const STYLE = {
  html: `
text{font:13px system-ui,sans-serif;fill:#1b1f24}
.title{font-weight:600;font-size:15px}.note{fill:#59636e;font-size:12px}.light{fill:#fff}.dark{fill:#1b1f24}
.paper{fill:#fff}.none{fill:none;stroke:#c4ccd4;stroke-dasharray:3 3}.best{fill:none;stroke:#b35900;stroke-width:3}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9aa4af}.light{fill:#fff}.dark{fill:#1b1f24}.paper{fill:#0d1117}.none{stroke:#3d444d}.best{stroke:#ffa657}}`,
}

/** Returns the map as one SVG file that needs no other; each cell shows its score in dollars a day. */
export function heatmapSvg({ rows, columns, cells }: Heatmap): string {
  const width = Math.max(560, LEFT + columns.levels.length * CELL.width + RIGHT)
  const height = TOP + cells.length * CELL.height + BOTTOM
  const scores = cells.flatMap((row) => row.flatMap((cell) => cell?.score ?? []))
  const [low, high] = [Math.min(...scores), Math.max(...scores)]
  const across = shortKey(columns.path)
  const down = rows === null ? null : shortKey(rows.path)
  const title = down === null ? across : `${down} by ${across}`
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title><style>${STYLE}</style><rect class="paper" width="${width}" height="${height}"/>
<text x="16" y="24" class="title">${title}</text>
<text x="16" y="44" class="note">5 % quantile of the mean daily PnL less holding, dollars; whatever else varies is at its best</text>
${columns.levels.map((level, column) => markup`<text x="${middleOf(column)}" y="${TOP - 8}" text-anchor="middle">${cut(level, 11)}</text>\n`)}${down === null ? null : markup`<text x="16" y="${TOP - 8}" class="note">${down}</text>\n`}${(rows?.levels ?? []).map((level, row) => markup`<text x="${LEFT - 10}" y="${baseOf(row)}" text-anchor="end">${cut(level, 18)}</text>\n`)}${cells.flatMap((row, y) => row.map((cell, x) => boxOf(cell, x, y, { low, high })))}<text x="16" y="${height - 16}" class="note">across: ${across}; framed: the best</text>
</svg>
`.html
}

function middleOf(column: number): number {
  return LEFT + (column + 0.5) * CELL.width
}

function baseOf(row: number): number {
  return TOP + (row + 0.62) * CELL.height
}

function boxOf(
  cell: HeatmapCell,
  column: number,
  row: number,
  { low, high }: { readonly low: number; readonly high: number },
): Markup {
  const place = markup`x="${LEFT + column * CELL.width + 1}" y="${TOP + row * CELL.height + 1}" width="${CELL.width - 2}" height="${CELL.height - 2}" rx="3"`
  if (cell === null) return markup`<rect class="none" ${place}/>\n`
  const share = high > low ? (cell.score - low) / (high - low) : 1
  const lightness = Math.round(92 - share * 62)
  const frame = cell.score === high ? markup`<rect class="best" ${place}/>` : null
  return markup`<rect fill="hsl(212 60% ${lightness}%)" ${place}/>${frame}<text x="${middleOf(column)}" y="${baseOf(row)}" text-anchor="middle" class="${lightness < 60 ? 'light' : 'dark'}">${cell.score.toFixed(2)}</text>\n`
}

/** Returns the part of a level that fits next to the cells. */
function cut(level: string, letters: number): string {
  return level.length <= letters ? level : `${level.slice(0, letters - 1)}…`
}
