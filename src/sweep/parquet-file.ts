import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ParquetColumn } from './parquet-column.ts'

/** What is being written has this ending until it is whole. */
export const UNFINISHED = '.unfinished'

/** Writes a whole file or none: whoever is killed in between leaves the old one, or nothing under this name. */
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

/** Throws what the file system or hyparquet has to say about a file that is none. */
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
