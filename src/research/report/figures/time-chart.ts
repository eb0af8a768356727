import type { ChartLine, TimeChart } from './figure.ts'

/** Returns lines over time, reduced to the visible resolution; null = no line has a point. */
export function timeChart(wanted: Omit<TimeChart, 'kind'>): TimeChart | null {
  const { t, lines, band = null } = wanted
  if (!lines.some(({ values }) => values.some(Number.isFinite))) return null
  const shaded = band === null ? [] : [band.low, band.high]
  const rows = reduceLines(t, [...lines.map(({ values }) => values), ...shaded])
  return {
    ...wanted,
    kind: 'time',
    t: pickRows(t, rows),
    lines: lines.map((line): ChartLine => ({ ...line, values: pickRows(line.values, rows) })),
    band: band && { ...band, low: pickRows(band.low, rows), high: pickRows(band.high, rows) },
  }
}

/** The values at the given rows, in their order. */
export function pickRows(values: Float64Array, rows: Uint32Array): Float64Array {
  return Float64Array.from(rows, (row) => values[row] ?? NaN)
}

/** No screen can distinguish more rows, even when zoomed in a few times. */
const MAX_ROWS = 24_000

/**
 * Returns the indices of the rows to draw for lines with one time axis, ascending, at most `maxRows`. If there are more
 * rows, it keeps for each of many equal spans of time the first and the last row and those with the minimum or maximum of a
 * line. No peak is lost, and a line is off by at most one span.
 */
export function reduceLines(
  t: Float64Array,
  lines: readonly Float64Array[],
  maxRows: number = MAX_ROWS,
): Uint32Array {
  if (t.length <= maxRows) return Uint32Array.from(t.keys())
  const spans = Math.max(1, Math.floor(maxRows / (2 + 2 * lines.length)))
  const start = t[0] ?? 0
  const width = ((t[t.length - 1] ?? 0) - start) / spans
  const kept: number[] = []
  let from = 0
  for (let span = 1; span <= spans && from < t.length; span++) {
    const end = span === spans ? Infinity : start + span * width
    let to = from
    while (to < t.length && (t[to] ?? 0) < end) to++
    if (to > from) kept.push(...rowsOfSpan(lines, from, to))
    from = to
  }
  return Uint32Array.from(kept)
}

function rowsOfSpan(lines: readonly Float64Array[], from: number, to: number): readonly number[] {
  const rows = new Set([from, to - 1])
  for (const line of lines) {
    let lowest = -1
    let highest = -1
    let low = Infinity
    let high = -Infinity
    for (let i = from; i < to; i++) {
      const value = line[i] ?? NaN
      if (value < low) {
        low = value
        lowest = i
      }
      if (value > high) {
        high = value
        highest = i
      }
    }
    if (lowest >= 0) rows.add(lowest)
    if (highest >= 0) rows.add(highest)
  }
  return [...rows].sort((a, b) => a - b)
}

/** Summary of a line, ignoring gaps. All NaN if the line has no point. */
type SeriesSummary = {
  readonly first: number
  readonly last: number
  readonly lowest: number
  readonly highest: number
  /** Over time, with each value held until the next point; gaps have no weight. */
  readonly mean: number
  readonly points: number
}

export function seriesSummary(t: Float64Array, values: Float64Array): SeriesSummary {
  let first = NaN
  let last = NaN
  let lowest = NaN
  let highest = NaN
  let points = 0
  let heldFor = 0
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN
    if (!Number.isFinite(value)) continue
    if (points++ === 0) first = lowest = highest = value
    last = value
    if (value < lowest) lowest = value
    if (value > highest) highest = value
    const held = (t[i + 1] ?? t[i] ?? 0) - (t[i] ?? 0)
    heldFor += held
    sum += value * held
  }
  return { first, last, lowest, highest, mean: heldFor > 0 ? sum / heldFor : last, points }
}
