import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { constants, crc32, zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { flattenRow } from '../model/encode-row.ts'
import { OPEN_SEAL, sealFooter } from './footer.ts'
import { CREATED_BY, DOUBLES, PARQUET_KEY, parquetSchema, TAPE_SCHEMA_VERSION } from './schema.ts'
import { ROW_SHAPE, type RowKind, type TapeRow } from '../model/row.ts'

/** A Parquet file being written; it gets its name once it is complete and on disk. */
export type ParquetFile = {
  /** Writes a row group: rows of the file's kind, continuing in tape order. */
  readonly append: (rows: readonly TapeRow[]) => void
  /** Gives the file its name and returns its size in bytes. */
  readonly finish: () => number
  /** Removes the unfinished file. */
  readonly abandon: () => void
}

/** Columns with few distinct values, written as runs of dictionary indexes. */
const REPETITIVE = new Set([
  'midRateTZS',
  'rateUpdatedAt',
  'from',
  'to',
  'amount',
  'bidBps',
  'askBps',
  'fromToken',
  'toToken',
])
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** Begins a file; throws the file system's error. */
export function createParquetFile(path: string, kind: RowKind): ParquetFile {
  const part = `${path}.part`
  const fd = openSync(part, 'w')
  const bytes = new ByteWriter(1 << 16)
  const checksums: number[] = []
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: parquetSchema(kind),
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input, COMPRESSION) },
    createdBy: CREATED_BY,
  })

  function flush(): void {
    for (let rest = bytes.getBytes(); rest.length > 0;) rest = rest.subarray(writeSync(fd, rest))
    bytes.index = 0
  }

  flush()
  return {
    append(rows) {
      void parquet.write({ columnData: columnsOf(rows, kind), rowGroupSize: rows.length })
      checksums.push(crc32(bytes.getBytes()))
      flush()
    },
    finish() {
      parquet.kvMetadata = [
        { key: PARQUET_KEY.version, value: String(TAPE_SCHEMA_VERSION) },
        { key: PARQUET_KEY.kind, value: kind },
        { key: PARQUET_KEY.crc32, value: JSON.stringify(checksums) },
        { key: PARQUET_KEY.seal, value: OPEN_SEAL },
      ]
      void parquet.finish()
      const end = bytes.getBytes()
      sealFooter(Buffer.from(end.buffer, end.byteOffset, end.byteLength))
      flush()
      fsyncSync(fd)
      closeSync(fd)
      renameSync(part, path)
      return bytes.offset
    },
    abandon() {
      closeSync(fd)
      rmSync(part, { force: true })
    },
  }
}

type Column = {
  readonly name: string
  readonly data: unknown[]
  readonly encoding?: 'DELTA_BINARY_PACKED' | 'RLE_DICTIONARY'
}

function columnsOf(rows: readonly TapeRow[], kind: RowKind): Column[] {
  const flat = rows.map(flattenRow)
  const t: Column = {
    name: 't',
    data: rows.map((row) => BigInt(row.t)),
    encoding: 'DELTA_BINARY_PACKED',
  }
  const columns = ROW_SHAPE[kind].map(({ name, holds }): Column => {
    const data = flat.map((fields) => {
      const value = fields[name] ?? null
      return holds === 'time' && typeof value === 'number' ? BigInt(value) : value
    })
    const repeats = REPETITIVE.has(name) && data.some((value) => value !== null)
    return { name, data, ...(repeats ? { encoding: 'RLE_DICTIONARY' } : {}) }
  })
  const doubles = Object.entries(DOUBLES[kind]).map(([name, valueOf]) => ({ name, data: flat.map(valueOf) }))
  return [t, ...columns, ...doubles]
}
