import type { ChartLine, TimeChart } from './figure.ts'
import { reduceLines } from './reduce-lines.ts'

type Wanted = Pick<TimeChart, 't' | 'lines'> & Partial<Omit<TimeChart, 'kind' | 't' | 'lines'>>

/** Lines over time, reduced to what can be seen. Null where no line has a single point. */
export function timeChart(wanted: Wanted): TimeChart | null {
  const { t, lines, band = null } = wanted
  if (!lines.some(({ values }) => values.some(Number.isFinite))) return null
  const shaded = band === null ? [] : [band.low, band.high]
  const rows = reduceLines(t, [...lines.map(({ values }) => values), ...shaded])
  return {
    step: false,
    toZero: false,
    level: null,
    markers: null,
    lowest: null,
    highest: null,
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
