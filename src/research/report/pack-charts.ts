import { gzipSync } from 'node:zlib'
import type { Chart, ChartLine, Figure, TimeChart } from './figures/figure.ts'
import type { ColumnHead, PackedChart, PackedCharts, PackedLine } from './packed-charts.ts'

/**
 * What the page draws, as base64 of gzip of: the header's length (32 bits, little-endian), the header in
 * JSON, the columns. In the header a chart names its columns by their numbers. The text in it is the labels
 * of points and nothing else; all other text is in the page's HTML. Equal charts give equal text.
 */
export function packCharts(figures: readonly Figure[]): string {
  const columns: Column[] = []
  const add = (kind: 'time' | 'value', values: Float64Array) => columns.push({ kind, values }) - 1
  const charts = figures.flatMap(({ id, unit, digits, chart }): PackedChart[] => {
    if (chart === null) return []
    return [{ id, unit, digits, ...drawable(chart, columns, add) }]
  })
  const { heads, bytes } = packColumns(columns)
  const packed: PackedCharts = { window: windowOf(figures), charts, columns: heads }
  const header = Buffer.from(JSON.stringify(packed))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  return gzipSync(Buffer.concat([length, header, bytes])).toString('base64')
}

/** What is one kind of chart's own. */
type Drawable<One = PackedChart> = One extends PackedChart ? Omit<One, 'id' | 'unit' | 'digits'> : never
type Add = (kind: 'time' | 'value', values: Float64Array) => number

function drawable(chart: Chart, columns: Column[], add: Add): Drawable {
  switch (chart.kind) {
    case 'points':
    case 'rows':
      // JSON has no NaN: a bound that is not known becomes null.
      return { kind: chart.kind, points: chart.points, noteOf: chart.noteOf }
    case 'days':
      return {
        kind: 'days',
        x: add('time', chart.t),
        lines: packLines(chart.lines, add),
        percent: chart.percent,
      }
    case 'plane':
      return {
        kind: 'plane',
        xUnit: chart.xUnit,
        x: add('value', chart.x),
        lines: packLines(chart.lines, add),
        band: packBand(chart.band, add),
        step: chart.step,
        toZero: chart.toZero,
        points: chart.points?.all ?? [],
      }
    case 'time':
      return {
        kind: 'time',
        x: add('time', chart.t),
        lines: packLines(chart.lines, add),
        band: packBand(chart.band, add),
        markers: chart.markers && {
          t: add('time', chart.markers.t),
          price: add('value', chart.markers.price),
          usd: add('value', chart.markers.usd),
          flags: columns.push({ kind: 'flags', values: chart.markers.flags }) - 1,
        },
        step: chart.step,
        toZero: chart.toZero,
        level: chart.level?.value ?? null,
        lowest: chart.lowest,
        highest: chart.highest,
      }
  }
}

function packLines(lines: readonly ChartLine[], add: Add): readonly PackedLine[] {
  return lines.map(({ colour, stroke, values }) => ({ colour, stroke, y: add('value', values) }))
}

function packBand(band: TimeChart['band'], add: Add) {
  return band && { low: add('value', band.low), high: add('value', band.high) }
}

/** From the first to the last time of any chart over time: they all show the same window. */
function windowOf(figures: readonly Figure[]): readonly [number, number] {
  const times = figures.flatMap(({ chart }) =>
    chart?.kind === 'time' ? [chart.t, ...(chart.markers === null ? [] : [chart.markers.t])] : [],
  )
  const ends = times.flatMap((t) => [t[0] ?? NaN, t.at(-1) ?? NaN]).filter(Number.isFinite)
  return ends.length === 0 ? [0, 0] : [Math.min(...ends), Math.max(...ends)]
}

/**
 * A column of numbers for the page.
 * - `time`: milliseconds, ascending. Differences of whole steps (a millisecond, or more where a gap is
 *   longer than 49 days), 32 bits each.
 * - `value`: a 32-bit float beside the column's base, its first number: exact to 6e-8 of the column's
 *   range, where no picture needs 1e-4. What is not finite is NaN, a hole.
 * - `flags`: bytes.
 */
type Column =
  | { readonly kind: 'time' | 'value'; readonly values: Float64Array }
  | { readonly kind: 'flags'; readonly values: Uint8Array }

const MAX_UINT32 = 0xffff_ffff

/**
 * The columns' bytes, one after the other. Those of a 32-bit column are laid out by place: all lowest bytes,
 * then the next ones, because neighbours differ in the low places and are equal in the high ones, which
 * compresses. page/unpack.ts is the other half.
 */
function packColumns(columns: readonly Column[]): {
  readonly heads: readonly ColumnHead[]
  readonly bytes: Uint8Array
} {
  const packed = columns.map(packColumn)
  const bytes = new Uint8Array(packed.reduce((sum, column) => sum + column.bytes.length, 0))
  let at = 0
  for (const column of packed) {
    bytes.set(column.bytes, at)
    at += column.bytes.length
  }
  return { heads: packed.map(({ head }) => head), bytes }
}

function packColumn(column: Column): { readonly head: ColumnHead; readonly bytes: Uint8Array } {
  const count = column.values.length
  if (column.kind === 'flags') {
    return { head: { kind: 'flags', count, base: 0, step: 1 }, bytes: column.values }
  }
  if (column.kind === 'time') {
    const base = column.values[0] ?? 0
    const step = stepOf(column.values)
    return { head: { kind: 'time', count, base, step }, bytes: byPlace(differences(column.values, step)) }
  }
  const base = column.values.find(Number.isFinite) ?? 0
  const offsets = Float32Array.from(column.values, (value) => (Number.isFinite(value) ? value - base : NaN))
  return { head: { kind: 'value', count, base, step: 1 }, bytes: byPlace(new Uint32Array(offsets.buffer)) }
}

function stepOf(times: Float64Array): number {
  let longest = 0
  for (let i = 1; i < times.length; i++) longest = Math.max(longest, (times[i] ?? 0) - (times[i - 1] ?? 0))
  return Math.max(1, Math.ceil(longest / (MAX_UINT32 - 1)))
}

function differences(times: Float64Array, step: number): Uint32Array {
  const base = times[0] ?? 0
  let before = 0
  return Uint32Array.from(times, (t) => {
    const steps = Math.round((t - base) / step)
    const difference = steps - before
    before = steps
    return difference
  })
}

function byPlace(words: Uint32Array): Uint8Array {
  const count = words.length
  const bytes = new Uint8Array(count * 4)
  for (let i = 0; i < count; i++) {
    const word = words[i] ?? 0
    bytes[i] = word & 0xff
    bytes[count + i] = (word >>> 8) & 0xff
    bytes[2 * count + i] = (word >>> 16) & 0xff
    bytes[3 * count + i] = word >>> 24
  }
  return bytes
}
