import type { ColumnMetaData, PageHeader } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { unpackZstd } from './read-columns.ts'
import { decodeDeltas, decodeHybrid, unpack } from './pages.ts'
import { appendPlain } from './plain-values.ts'
import { LATEST_TIME } from '../../model/row-fields.ts'

/** An encoded column of one row group. */
export type RawColumn = {
  readonly meta: ColumnMetaData
  readonly optional: boolean
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly rows: number
}

/** The values of a column by index: row `i` is `values[at[i]]`, or null for index -1. */
export type Values<T> = { readonly at: Int32Array; readonly values: readonly T[] }

/** Returns the times of a required column in delta encoding; null for another encoding or invalid times. */
export function readTimes(column: RawColumn | null): Float64Array | null {
  if (column === null) return null
  const out = new Float64Array(column.rows)
  const seen = eachPage(column, (page, from) => {
    const { num_values: count, num_nulls: nulls, encoding } = page.header
    if (nulls !== 0 || encoding !== 'DELTA_BINARY_PACKED') return false
    return decodeDeltas(page.body, out.subarray(from, from + count))
  })
  return seen === column.rows && areTimes(out) ? out : null
}

/** Returns the texts of a column in dictionary or plain encoding; null for another encoding. */
export function readTexts(column: RawColumn | null): Values<string> | null {
  return column?.meta.type === 'BYTE_ARRAY' ? readValuesBy(column, appendPlain.texts) : null
}

/** Returns the 64-bit integers of a column as doubles; null for another encoding. */
export function readLongs(column: RawColumn | null): Values<number> | null {
  return readValuesBy(column, appendPlain.longs)
}

/** Returns the 32-bit integers of a column; null for another encoding. */
export function readInts(column: RawColumn | null): Values<number> | null {
  return readValuesBy(column, appendPlain.ints)
}

/** Returns the flags of a column: 1 yes, 0 no, -1 null; null for another encoding. */
export function readFlags(column: RawColumn | null): Int32Array | null {
  if (column === null || column.meta.type !== 'BOOLEAN') return null
  const out = new Int32Array(column.rows)
  const seen = eachPage(column, (page, from) =>
    fillPlaces(page, column, out.subarray(from, from + page.header.num_values), decodeFlags),
  )
  return seen === column.rows ? out : null
}

type Append<T> = (bytes: Uint8Array, size: number, values: T[]) => void

/** Appends the values of a page without a dictionary to the dictionary's, so that they have indexes too. */
function readValuesBy<T>(column: RawColumn | null, append: Append<T>): Values<T> | null {
  if (column === null) return null
  const at = new Int32Array(column.rows)
  const values: T[] = []
  const decode: Decode = ({ header, body }, out) => {
    if (header.encoding === 'RLE_DICTIONARY') return decodeHybrid(body.subarray(1), body[0] ?? 0, out)
    if (header.encoding !== 'PLAIN') return false
    const first = values.length
    append(body, out.length, values)
    for (let i = 0; i < out.length; i++) out[i] = first + i
    return true
  }
  const seen = eachPage(
    column,
    (page, from) => fillPlaces(page, column, at.subarray(from, from + page.header.num_values), decode),
    (bytes, size) => append(bytes, size, values),
  )
  return seen === column.rows && areWithin(at, values.length) ? { at, values } : null
}

/** Returns whether every row has a value. */
export function isWithoutNulls({ at }: Values<unknown>): boolean {
  return !at.includes(-1)
}

/** Returns whether every index is -1 or below `end`. */
function areWithin(places: Int32Array, end: number): boolean {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number
    if (place < -1 || place >= end) return false
  }
  return true
}

type Page = {
  readonly header: NonNullable<PageHeader['data_page_header_v2']>
  /** 1 = present, 0 = null; empty if the column is required. */
  readonly levels: Uint8Array
  readonly body: Uint8Array
}

/**
 * Visits the data pages in order and returns their number of values; null as soon as a visit returns false or a page
 * has another form than ours. Broken bytes throw, or fail the bounds of what is read.
 */
function eachPage(
  { meta, bytes, rows }: RawColumn,
  visit: (page: Page, from: number) => boolean,
  visitDictionary?: (bytes: Uint8Array, size: number) => void,
): number | null {
  if (meta.codec !== 'ZSTD') return null
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
  let seen = 0
  while (seen < rows) {
    const header = parquetHeader(reader)
    const packed = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size)
    reader.offset += header.compressed_page_size
    if (header.type === 'DICTIONARY_PAGE' && header.dictionary_page_header !== undefined) {
      const size = header.dictionary_page_header.num_values
      visitDictionary?.(unpackZstd(packed, header.uncompressed_page_size), size)
      continue
    }
    const v2 = header.data_page_header_v2
    if (v2 === undefined || v2.repetition_levels_byte_length !== 0 || v2.is_compressed === false) return null
    if (v2.num_values <= 0 || seen + v2.num_values > rows) return null
    const levels = packed.subarray(0, v2.definition_levels_byte_length)
    const body = packed.subarray(levels.length)
    const size = header.uncompressed_page_size - levels.length
    if (!visit({ header: v2, levels, body: unpackZstd(body, size) }, seen)) return null
    seen += v2.num_values
  }
  return seen
}

/** Decodes the present values, or their indexes, into `out`; false for another encoding. */
type Decode = (page: Page, out: Int32Array) => boolean

function fillPlaces(page: Page, { optional }: RawColumn, out: Int32Array, decode: Decode): boolean {
  const { num_values: count, num_nulls: nulls } = page.header
  if (nulls === count) {
    out.fill(-1)
    return true
  }
  if (nulls === 0) return decode(page, out)
  if (!optional) return false
  const there = new Int32Array(count)
  const values = new Int32Array(count - nulls)
  if (!decodeHybrid(page.levels, 1, there) || !decode(page, values)) return false
  let next = 0
  for (let i = 0; i < count; i++) out[i] = there[i] === 1 ? (values[next++] ?? 0) : -1
  return next === values.length
}

function decodeFlags({ header, body }: Page, out: Int32Array): boolean {
  if (header.encoding === 'RLE') return decodeHybrid(body.subarray(Uint32Array.BYTES_PER_ELEMENT), 1, out)
  if (header.encoding !== 'PLAIN' || body.length * 8 < out.length) return false
  unpack(body, 0, 1, out, 0, out.length)
  return true
}

/** Returns whether all these times are valid on a tape. */
export function areTimes(times: ArrayLike<number>): boolean {
  for (let i = 0; i < times.length; i++) {
    const t = times[i] as number
    if (!(t >= 0 && t <= LATEST_TIME)) return false
  }
  return true
}
