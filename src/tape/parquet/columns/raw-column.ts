import type { ColumnMetaData, PageHeader } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { decompressZstd } from './read-values.ts'
import { decodeDeltas, decodeHybrid, unpack } from './pages.ts'
import { LATEST_TIME } from '../../model/row-fields.ts'

/** A column of one row group as it lies in the file. */
export type RawColumn = {
  readonly meta: ColumnMetaData
  readonly optional: boolean
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly rows: number
}

/** Values as places in a dictionary; -1 = null. Without a dictionary the places are the values. */
export type Places = { readonly at: Int32Array; readonly dictionary: Dictionary }

export type Dictionary = { readonly bytes: Uint8Array; readonly size: number }

/** The times of a required column in delta encoding; null where it is written in another way or holds no times. */
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

/** The places of a column in dictionary encoding, or its flags as 0 and 1; null where it is written in another way. */
export function readPlaces(column: RawColumn | null): Places | null {
  if (column === null) return null
  const at = new Int32Array(column.rows)
  let dictionary: Dictionary = { bytes: new Uint8Array(0), size: 0 }
  const seen = eachPage(
    column,
    (page, from) => fillPlaces(page, column, at.subarray(from, from + page.header.num_values)),
    (bytes, size) => (dictionary = { bytes, size }),
  )
  return seen === column.rows ? { at, dictionary } : null
}

type Page = {
  readonly header: NonNullable<PageHeader['data_page_header_v2']>
  /** 1 = there, 0 = null; empty where the column is required. */
  readonly levels: Uint8Array
  readonly body: Uint8Array
}

/**
 * Visits the data pages in order, and says how many values they hold; null as soon as a visit says false or
 * a page is of another make than ours. Broken bytes throw, or are caught by the bounds of what is read.
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
      visitDictionary?.(decompressZstd(packed, header.uncompressed_page_size), size)
      continue
    }
    const v2 = header.data_page_header_v2
    if (v2 === undefined || v2.repetition_levels_byte_length !== 0 || v2.is_compressed === false) return null
    if (v2.num_values <= 0 || seen + v2.num_values > rows) return null
    const levels = packed.subarray(0, v2.definition_levels_byte_length)
    const body = packed.subarray(levels.length)
    const size = header.uncompressed_page_size - levels.length
    if (!visit({ header: v2, levels, body: decompressZstd(body, size) }, seen)) return null
    seen += v2.num_values
  }
  return seen
}

function fillPlaces(page: Page, { meta, optional }: RawColumn, out: Int32Array): boolean {
  const { num_values: count, num_nulls: nulls } = page.header
  if (nulls === count) {
    out.fill(-1)
    return true
  }
  if (nulls === 0) return decodePlaces(page, meta, out)
  if (!optional) return false
  const there = new Int32Array(count)
  const values = new Int32Array(count - nulls)
  if (!decodeHybrid(page.levels, 1, there) || !decodePlaces(page, meta, values)) return false
  let next = 0
  for (let i = 0; i < count; i++) out[i] = there[i] === 1 ? (values[next++] ?? 0) : -1
  return next === values.length
}

function decodePlaces({ header, body }: Page, { type }: ColumnMetaData, out: Int32Array): boolean {
  if (type !== 'BOOLEAN') {
    return header.encoding === 'RLE_DICTIONARY' && decodeHybrid(body.subarray(1), body[0] ?? 0, out)
  }
  if (header.encoding === 'RLE') return decodeHybrid(body.subarray(Uint32Array.BYTES_PER_ELEMENT), 1, out)
  if (header.encoding !== 'PLAIN' || body.length * 8 < out.length) return false
  unpack(body, 0, 1, out, 0, out.length)
  return true
}

/** Whether a tape can hold all these times. */
export function areTimes(times: Float64Array): boolean {
  for (let i = 0; i < times.length; i++) {
    const t = times[i] as number
    if (!(t >= 0 && t <= LATEST_TIME)) return false
  }
  return true
}
