import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  type ColumnMetaData,
  type DecodedArray,
  type FileMetaData,
  parquetRead,
  parquetSchema,
  type RowGroup,
  type SchemaElement,
  snappyUncompress,
} from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { formatDecimalText } from '../../../../base/money/decimal-text.ts'
import type { RowField } from '../../model/row.ts'

/** A row group in memory. */
type LoadedGroup = {
  readonly metadata: FileMetaData
  readonly group: RowGroup
  readonly bytes: Buffer<ArrayBuffer>
  /** File offset of the bytes. */
  readonly from: number
}

/** The values of the file's columns, one per row: times as Date, decimals as exact text, lists as arrays. */
export type Columns = ReadonlyMap<string, ArrayLike<unknown>>

/** pandas's default maximum; a few bytes can encode any number of rows, and each takes memory. */
export const MAX_GROUP_ROWS = 2 ** 20

/** Pages are about a megabyte; a far larger claim is broken or malicious. */
const MAX_BYTES = 1 << 28

type Unpack = (packed: Uint8Array, size: number) => Uint8Array

/** Throws unless the unpacked page has the size in its header; stops unpacking a larger one. */
function bounded(unpack: Unpack): Unpack {
  return (packed, size) => {
    if (!(size >= 0 && size <= MAX_BYTES)) throw new RangeError(`a page of ${size} bytes`)
    const unpacked = size === 0 ? new Uint8Array(0) : unpack(packed, size)
    if (unpacked.length !== size)
      throw new RangeError(`a page of ${unpacked.length} bytes instead of ${size}`)
    return unpacked
  }
}

// Allocates one buffer of the right size instead of joining many.
const sizes = (size: number) => ({ chunkSize: Math.max(64, size), maxOutputLength: size })

export const unpackZstd = bounded((packed, size) => zstdDecompressSync(packed, sizes(size)))

const COMPRESSORS = {
  ZSTD: unpackZstd,
  GZIP: bounded((packed, size) => gunzipSync(packed, sizes(size))),
  BROTLI: bounded((packed, size) => brotliDecompressSync(packed, sizes(size))),
  SNAPPY: bounded((packed, size) => {
    const unpacked = new Uint8Array(size)
    snappyUncompress(packed, unpacked)
    return unpacked
  }),
}

/** Returns why a file's column cannot be read exactly as the row's field; null = it can. */
export function columnProblem(
  metadata: FileMetaData,
  { name, holds }: Pick<RowField, 'name' | 'holds'>,
): string | null {
  const element = elementOf(metadata, name)
  if (element === undefined) return null
  const unread = metadata.row_groups
    .flatMap(({ columns }) => columns.flatMap(({ meta_data: meta }) => meta ?? []))
    .find(
      ({ path_in_schema: [first], codec }) =>
        first === name && codec !== 'UNCOMPRESSED' && !(codec in COMPRESSORS),
    )
  if (unread !== undefined)
    return `column ${name} is compressed with ${unread.codec}; write it with zstd, snappy, gzip or brotli`
  if (isDecimal(element) && element.type === 'BYTE_ARRAY')
    return `column ${name} is a DECIMAL of bytes without a length; write it as text or with a fixed length`
  return holds === 'time' ? timeProblem(element, metadata) : null
}

function timeProblem(
  { name, type, converted_type: converted, logical_type: logical }: SchemaElement,
  metadata: FileMetaData,
): string | null {
  const isText = type === 'BYTE_ARRAY'
  const isZoned =
    logical?.type === 'TIMESTAMP' ? logical.isAdjustedToUTC : converted?.startsWith('TIMESTAMP_') === true
  // Spark writes INT96 times in UTC; the type itself does not define a zone.
  const isSpark = metadata.key_value_metadata?.some(({ key }) => key.startsWith('org.apache.spark.')) === true
  return isText || isZoned || (type === 'INT96' && isSpark)
    ? null
    : `column ${name} has times without a time zone; write them as timestamps in UTC`
}

/** Reads the named columns. Throws whatever a decoder throws on broken bytes. */
export async function readColumns(
  { metadata, group, bytes, from }: LoadedGroup,
  names: readonly string[],
): Promise<Columns> {
  const wanted = group.columns.flatMap(({ meta_data: meta }) => meta ?? [])
  for (const meta of wanted) {
    const range = chunkRange(meta)
    if (names.includes(meta.path_in_schema[0] ?? ''))
      checkPages(bytes.subarray(range.from - from, range.to - from))
  }
  const parts = new Map<string, DecodedArray[]>()
  await parquetRead({
    file: {
      byteLength: from + bytes.length,
      slice: (start, end = from + bytes.length) =>
        bytes.buffer.slice(bytes.byteOffset + start - from, bytes.byteOffset + end - from),
    },
    metadata: { ...metadata, schema: metadata.schema.map(withoutDecimal), row_groups: [group] },
    columns: names.filter((name) => elementOf(metadata, name) !== undefined),
    compressors: COMPRESSORS,
    onChunk({ columnName, columnData }) {
      parts.set(columnName, [...(parts.get(columnName) ?? []), columnData])
    },
  })
  const columns = new Map<string, ArrayLike<unknown>>()
  for (const [name, [first = [], ...others]] of parts) {
    const values = others.length === 0 ? first : [first, ...others].flatMap((part) => Array.from(part))
    if (values.length !== Number(group.num_rows))
      throw new Error(`column ${name} has ${values.length} values for ${group.num_rows} rows`)
    const element = elementOf(metadata, name)
    columns.set(name, element !== undefined && isDecimal(element) ? decimalTexts(values, element) : values)
  }
  return columns
}

/** Throws if a page claims more values than a row group may have rows: a few bytes can encode any number of them. */
function checkPages(chunk: Buffer<ArrayBuffer>): void {
  const reader = { view: new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength), offset: 0 }
  let values = 0
  while (reader.offset < chunk.length - 1) {
    const header = parquetHeader(reader)
    reader.offset += header.compressed_page_size
    const page = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header
    values += page?.num_values ?? 0
    if (!(values <= 2 * MAX_GROUP_ROWS))
      throw new RangeError(`its pages have more than ${2 * MAX_GROUP_ROWS} values`)
    if (header.compressed_page_size < 0) throw new RangeError('a page of less than no bytes')
  }
}

/** Returns the exact texts of a DECIMAL column, which the library would convert to doubles. */
function decimalTexts(
  values: ArrayLike<unknown>,
  { scale, logical_type: logical }: SchemaElement,
): readonly unknown[] {
  const decimals = scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0)
  return Array.from(values, (value) => {
    const whole = value instanceof Uint8Array ? signedOf(value) : value
    return typeof whole === 'bigint' || typeof whole === 'number'
      ? formatDecimalText(BigInt(whole), decimals)
      : value
  })
}

function signedOf(bytes: Uint8Array): bigint {
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`))
}

function withoutDecimal(element: SchemaElement): SchemaElement {
  const { converted_type: _converted, logical_type: _logical, ...plain } = element
  return isDecimal(element) ? plain : element
}

function isDecimal({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted === 'DECIMAL' || logical?.type === 'DECIMAL'
}

function elementOf(metadata: FileMetaData, name: string): SchemaElement | undefined {
  return parquetSchema(metadata).children.find(({ element }) => element.name === name)?.element
}

/** Returns the byte range of a row group's column; NaN if the footer lacks it. */
export function chunkRange(meta: ColumnMetaData | undefined): { readonly from: number; readonly to: number } {
  const dictionary = meta?.dictionary_page_offset
  const from = Number(dictionary !== undefined && dictionary > 0n ? dictionary : meta?.data_page_offset)
  return { from, to: from + Number(meta?.total_compressed_size) }
}
