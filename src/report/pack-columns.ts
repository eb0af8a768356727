/**
 * A column of numbers for the page.
 * - `time`: milliseconds, ascending. Differences of whole steps (a millisecond, or more where a gap is
 *   longer than 49 days), 32 bits each.
 * - `value`: a 32-bit float beside the column's base, its first number: exact to 6e-8 of the column's
 *   range, where no picture needs 1e-4. What is not finite is NaN, a hole.
 * - `flags`: bytes.
 */
export type Column =
  | { readonly kind: 'time' | 'value'; readonly values: Float64Array }
  | { readonly kind: 'flags'; readonly values: Uint8Array }

/** What the page must know to read a column back. */
export type ColumnHead = {
  readonly kind: Column['kind']
  readonly count: number
  readonly base: number
  readonly step: number
}

const MAX_UINT32 = 0xffff_ffff

/**
 * The columns' bytes, one after the other. Those of a 32-bit column are laid out by place: all lowest bytes,
 * then the next ones, because neighbours differ in the low places and are equal in the high ones, which
 * compresses. page/unpack.js is the other half.
 */
export function packColumns(columns: readonly Column[]): {
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
