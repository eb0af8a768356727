import { moments } from '../models/moments.ts'
import { scoreOf, type RankedVariant } from './rank-variants.ts'
import { valueText } from './value-text.ts'
import type { JsonValue } from './variant.ts'

/** Values of one parameter, or ranges of them where there are too many for a picture. */
export type HeatmapAxis = { readonly path: string; readonly levels: readonly string[] }

/** The best score at each pair of levels: what else varies is at its best there. */
export type Heatmap = {
  /** Down and across; `rows` is null where only one parameter varies. */
  readonly rows: HeatmapAxis | null
  readonly columns: HeatmapAxis
  /** By row, then by column; null = no such variant. */
  readonly cells: readonly (readonly HeatmapCell[])[]
}

export type HeatmapCell = { readonly variant: number; readonly score: number } | null

const MAX_LEVELS = 10

/**
 * A map over two parameters: the ones in `chosen`, else the two that matter most, by the variance of the best
 * score between their levels. The unchanged configuration has no place on it. Null where nothing varies.
 */
export function heatmapOf(variants: readonly RankedVariant[], chosen: readonly string[]): Heatmap | null {
  const changed = variants.filter(({ variant }) => variant !== 0)
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
  /** The level of a variant; -1 = it does not change this parameter. */
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

/** Ranges of equal width. */
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
    return best === undefined ? null : { variant: best.variant, score: scoreOf(best.daily) }
  })
}

function weightOf(axis: Axis, variants: readonly RankedVariant[]): number {
  const scores = bestBy(axis, variants).flatMap((cell) => cell?.score ?? [])
  return moments(scores).sd ** 2
}
