import {
  type ColumnMetaData,
  type DecodedArray,
  type FileMetaData,
  flatten,
  parquetSchema,
  type RowGroup,
} from 'hyparquet'
import { assembleNested } from 'hyparquet/src/assemble.js'
import { readColumn } from 'hyparquet/src/column.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { getTreePath } from 'hyparquet/src/schema.js'
import { zstdDecompressSync } from 'node:zlib'

/** A row group in memory. */
export type LoadedGroup = {
  readonly metadata: FileMetaData
  readonly group: RowGroup
  readonly bytes: Buffer<ArrayBuffer>
  /** Where in the file the bytes begin. */
  readonly from: number
}

/**
 * The values of a column, whoever wrote it and in whatever encoding: times as Date, lists as arrays. Undefined
 * where there is no such column. Throws whatever a decoder trips over in broken bytes. (Column by column and
 * not by `parquetReadObjects`: on a broken schema that leaves rejected promises behind, which nobody can catch.)
 */
export function readValues(
  { metadata, group, bytes, from }: LoadedGroup,
  name: string,
): DecodedArray | undefined {
  const tree = parquetSchema(metadata)
  const field = tree.children.find(({ element }) => element.name === name)
  const chunks = group.columns.flatMap(({ meta_data: meta }) => meta ?? [])
  const meta = chunks.find(({ path_in_schema: path }) => path[0] === name)
  if (field === undefined || meta === undefined) return undefined
  const rows = Number(group.num_rows)
  const schemaPath = getTreePath(tree, meta.path_in_schema)
  const range = chunkRange(meta)
  const { data } = readColumn(
    {
      view: new DataView(bytes.buffer, bytes.byteOffset + range.from - from, range.to - range.from),
      offset: 0,
    },
    { groupStart: 0, selectStart: 0, selectEnd: rows, groupRows: rows },
    {
      ...meta,
      pathInSchema: meta.path_in_schema,
      element: schemaPath.at(-1)?.element ?? field.element,
      schemaPath,
      parsers: DEFAULT_PARSERS,
      compressors: { ZSTD: decompressZstd },
    },
  )
  const columns = new Map([[meta.path_in_schema.join('.'), flatten(data)]])
  if (field.children.length > 0) assembleNested(columns, field, DEFAULT_PARSERS)
  const values = columns.get(name)
  if (values?.length !== rows) throw new Error(`column ${name} has ${values?.length} values for ${rows} rows`)
  return values
}

/** Where in its file a column of a row group lies; NaN where the footer does not say. */
export function chunkRange(meta: ColumnMetaData | undefined): { readonly from: number; readonly to: number } {
  const dictionary = meta?.dictionary_page_offset
  const from = Number(dictionary !== undefined && dictionary > 0n ? dictionary : meta?.data_page_offset)
  return { from, to: from + Number(meta?.total_compressed_size) }
}

/** Pages are a megabyte; what claims to be far more is broken or made to hurt. */
const MAX_BYTES = 1 << 28

/** `packed` unpacked; throws unless that is `size` bytes. */
export function decompressZstd(packed: Uint8Array, size: number): Uint8Array {
  if (size < 0 || size > MAX_BYTES) throw new RangeError(`a page of ${size} bytes`)
  if (size === 0) return new Uint8Array(0)
  // One buffer of the right size, instead of many that are put together.
  const unpacked = zstdDecompressSync(packed, { chunkSize: Math.max(64, size), maxOutputLength: size })
  if (unpacked.length !== size) throw new RangeError(`a page of ${unpacked.length} bytes instead of ${size}`)
  return unpacked
}
