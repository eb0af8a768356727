import { parquetReadObjects, type SchemaElement } from 'hyparquet'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'

/** One column of a Parquet file: its name, and how to read its value from a row. */
export type ParquetColumn<Row> = {
  readonly name: string
  readonly schema: readonly SchemaElement[]
  readonly valueOf: (row: Row) => unknown
}

/** `time` takes a Date, `count` a whole number under 2^31. */
type ParquetKind = keyof typeof KINDS

const KINDS = {
  double: { type: 'DOUBLE' },
  count: { type: 'INT32' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
} as const satisfies Record<string, Partial<SchemaElement>>

/** A column with one value per row; `null` if missing. */
export function plainColumn<Row>(
  name: string,
  kind: ParquetKind,
  valueOf: (row: Row) => unknown,
): ParquetColumn<Row> {
  return { name, schema: [{ name, repetition_type: 'OPTIONAL', ...KINDS[kind] }], valueOf }
}

/** A column with a list of values per row. */
export function listColumn<Row>(
  name: string,
  kind: ParquetKind,
  valueOf: (row: Row) => readonly unknown[],
): ParquetColumn<Row> {
  const schema: readonly SchemaElement[] = [
    { name, repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...KINDS[kind] },
  ]
  return { name, schema, valueOf }
}

/** Ending of a file until it is complete. */
export const UNFINISHED = '.unfinished'

/** Writes a file atomically: a process killed in between leaves the old file, or none. */
export function writeParquetFile<Row>(
  path: string,
  rows: readonly Row[],
  columns: readonly ParquetColumn<Row>[],
): void {
  const bytes = parquetWriteBuffer({
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(({ schema }) => schema)],
    columnData: columns.map(({ name, valueOf }) => ({ name, data: rows.map(valueOf) })),
    codec: 'ZSTD',
    compressors: { ZSTD: (plain) => zstdCompressSync(plain) },
    createdBy: 'mizani',
  })
  writeWhole(path, new Uint8Array(bytes))
}

/** Throws the error of the file system or of hyparquet for an invalid file. */
export async function readParquetFile(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const bytes = new Uint8Array(readFileSync(path))
  return parquetReadObjects({
    file: bytes.buffer,
    compressors: { ZSTD: (packed) => new Uint8Array(zstdDecompressSync(packed)) },
  })
}

export function writeWhole(path: string, content: Uint8Array | string): void {
  const unfinished = `${path}${UNFINISHED}`
  const file = openSync(unfinished, 'w')
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
}
