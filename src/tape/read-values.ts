import { flatten, parquetSchema, type DecodedArray, type FileMetaData, type RowGroup } from 'hyparquet'
import { assembleNested } from 'hyparquet/src/assemble.js'
import { readColumn } from 'hyparquet/src/column.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { getTreePath } from 'hyparquet/src/schema.js'
import { chunkRange } from './chunk-range.ts'
import { decompressZstd } from './decompress-zstd.ts'

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
