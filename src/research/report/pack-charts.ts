import { gzipSync } from 'node:zlib'
import type { Figure } from './figures/figure.ts'
import type { ColumnHead } from './page/unpack.ts'

/**
 * Returns what the page draws, as base64 of gzip of: the header's length (32 bits, little-endian), the header in
 * JSON, the columns. The header has the charts, with a `ColumnHead` in place of each array of numbers. Its only texts are the
 * units and the labels of points; all other text is in the page's HTML. Equal charts give equal text.
 */
export function packCharts(figures: readonly Figure[]): string {
  const columns: Uint8Array[] = []
  let at = 0
  const packed = (key: string, value: unknown): unknown => {
    if (key === 'name') return undefined
    if (!(value instanceof Float64Array || value instanceof Uint8Array)) return value
    const { bytes, ...column } = packColumn(key, value)
    const head: ColumnHead = { ...column, at, count: value.length }
    columns.push(bytes)
    at += bytes.length
    return head
  }
  const charts = figures.flatMap(({ id, unit, digits, chart }) =>
    chart === null ? [] : [{ id, unit, digits, ...chart }],
  )
  const header = Buffer.from(JSON.stringify({ window: windowOf(figures), charts }, packed))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  return gzipSync(Buffer.concat([length, header, ...columns])).toString('base64')
}

/** Returns the first to the last time of all charts over time, which share one window. */
function windowOf(figures: readonly Figure[]): readonly [number, number] {
  const times = figures.flatMap(({ chart }) =>
    chart?.kind === 'time' ? [chart.t, ...(chart.markers ? [chart.markers.t] : [])] : [],
  )
  const ends = times.flatMap((t) => [t[0] ?? NaN, t.at(-1) ?? NaN]).filter(Number.isFinite)
  return ends.length === 0 ? [0, 0] : [Math.min(...ends), Math.max(...ends)]
}

const MAX_UINT32 = 0xffff_ffff

/**
 * The bytes of a column, with what the page needs to read it back.
 * - `time`, called `t` in a chart: milliseconds, ascending. Differences of whole steps (a millisecond, or more where a gap
 *   is longer than 49 days), 32 bits each.
 * - `value`: the difference from the column's first number as a 32-bit float: exact to 6e-8 of the column's
 *   range, where no picture needs 1e-4. What is not finite is NaN, a hole.
 * - `flags`: bytes.
 *
 * The bytes of a 32-bit column are grouped by significance: all lowest bytes, then the next ones, because neighbours differ in
 * the low places and are equal in the high ones, which compresses.
 */
function packColumn(
  key: string,
  values: Float64Array | Uint8Array,
): Pick<ColumnHead, 'column' | 'base' | 'step'> & { readonly bytes: Uint8Array } {
  if (values instanceof Uint8Array) return { column: 'flags', base: 0, step: 1, bytes: values }
  if (key === 't') {
    const step = stepOf(values)
    return { column: 'time', base: values[0] ?? 0, step, bytes: byPlace(differences(values, step)) }
  }
  const base = values.find(Number.isFinite) ?? 0
  const offsets = Float32Array.from(values, (value) => (Number.isFinite(value) ? value - base : NaN))
  return { column: 'value', base, step: 1, bytes: byPlace(new Uint32Array(offsets.buffer)) }
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
