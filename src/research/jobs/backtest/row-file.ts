import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { csvLine } from '../../../base/csv-text.ts'
import { err, ok, type Result } from '../../../base/result.ts'

/** Content of a column: `time` is milliseconds since the epoch, `exact` a decimal text, `count` a whole number under 2^31. */
type ColumnKind = 'time' | 'text' | 'exact' | 'number' | 'count' | 'flag'

/** A column of a list: null where a row has no value. */
export type RowColumn<Row> = {
  readonly name: string
  readonly kind: ColumnKind
  readonly valueOf: (row: Row) => string | number | boolean | null
}

/** A list being written; the file gets its name once it is complete. */
export type RowFile<Row> = {
  /** Defers a file system error to `finish`. */
  readonly append: (row: Row) => void
  /** Returns the number of rows, or the error of the file system. */
  readonly finish: () => Result<number, string>
  /** Removes the unfinished file; has no effect after `finish`. */
  readonly abandon: () => void
}

type Encoder<Row> = {
  readonly bytesOf: (rows: readonly Row[]) => Uint8Array
  readonly end: () => Uint8Array
}

const FORMATS = ['.csv', '.parquet'] as const
/** Rows per write: a row group of Parquet. */
const ROWS_AT_ONCE = 5_000

/** Returns advice for an unknown ending of the file name; null = the name is valid. */
export function listPathProblem(option: string, path: string): string | null {
  const isKnown = FORMATS.some((ending) => path.toLowerCase().endsWith(ending))
  return isKnown ? null : `${option} ${path}: expected a name that ends in .csv or .parquet`
}

/** Opens a temporary file next to the target before the run starts, so that a missing folder is refused early. */
export function openRowFile<Row>(
  path: string,
  columns: readonly RowColumn<Row>[],
): Result<RowFile<Row>, string> {
  if (isNotRegularFile(path)) return err(`${path} exists and is not a regular file; give the path of a file`)
  const part = `${path}.${process.pid}.part`
  try {
    const fd = openSync(part, 'wx')
    const encoder = path.toLowerCase().endsWith('.csv') ? csvEncoder(columns) : parquetEncoder(columns)
    return ok(rowFile(path, part, fd, encoder))
  } catch (error) {
    return err(cannotWrite(path, error))
  }
}

function rowFile<Row>(path: string, part: string, fd: number, encoder: Encoder<Row>): RowFile<Row> {
  let waiting: Row[] = []
  let count = 0
  let failure: string | null = null
  let isOpen = true

  const attempt = (action: () => void): void => {
    if (failure !== null) return
    try {
      action()
    } catch (error) {
      failure = cannotWrite(path, error)
    }
  }
  const write = (bytes: Uint8Array): void => {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(fd, rest))
  }
  const flush = (): void => {
    if (waiting.length > 0) write(encoder.bytesOf(waiting))
    count += waiting.length
    waiting = []
  }
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    closeSync(fd)
    rmSync(part, { force: true })
  }

  return {
    append(row) {
      if (failure !== null) return
      waiting.push(row)
      if (waiting.length >= ROWS_AT_ONCE) attempt(flush)
    },
    finish() {
      attempt(() => {
        flush()
        write(encoder.end())
        fsyncSync(fd)
        renameSync(part, path)
      })
      close()
      return failure === null ? ok(count) : err(failure)
    },
    abandon: close,
  }
}

function csvEncoder<Row>(columns: readonly RowColumn<Row>[]): Encoder<Row> {
  let head = csvLine(columns.map(({ name }) => name))
  const take = (lines: string): Uint8Array => {
    const text = head + lines
    head = ''
    return Buffer.from(text)
  }
  return {
    bytesOf: (rows) =>
      take(rows.map((row) => csvLine(columns.map((column) => csvValue(column, row)))).join('')),
    end: () => take(''),
  }
}

function csvValue<Row>({ kind, valueOf }: RowColumn<Row>, row: Row): string | number | boolean | null {
  const value = valueOf(row)
  return kind === 'time' && typeof value === 'number' ? new Date(value).toISOString() : value
}

const PARQUET_TYPES = {
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  exact: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  count: { type: 'INT32' },
  flag: { type: 'BOOLEAN' },
} as const

function parquetEncoder<Row>(columns: readonly RowColumn<Row>[]): Encoder<Row> {
  const bytes = new ByteWriter(1 << 16)
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, kind }) => ({
        name,
        repetition_type: 'OPTIONAL' as const,
        ...PARQUET_TYPES[kind],
      })),
    ],
    codec: 'ZSTD',
    compressors: { ZSTD: (plain) => zstdCompressSync(plain) },
    createdBy: 'mizani',
  })
  const take = (): Uint8Array => {
    const written = Uint8Array.from(bytes.getBytes())
    bytes.index = 0
    return written
  }
  return {
    bytesOf(rows) {
      const columnData = columns.map((column) => ({
        name: column.name,
        data: rows.map((row) => parquetValue(column, row)),
      }))
      void parquet.write({ columnData, rowGroupSize: rows.length })
      return take()
    },
    end() {
      void parquet.finish()
      return take()
    },
  }
}

function parquetValue<Row>({ kind, valueOf }: RowColumn<Row>, row: Row): unknown {
  const value = valueOf(row)
  return kind === 'time' && typeof value === 'number' ? new Date(value) : value
}

function cannotWrite(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return `${path} cannot be written (${code ?? message}); give a path in an existing folder with free space`
}

/** Returns whether the path is a device, a pipe or a folder: renaming a file onto it would replace it. */
function isNotRegularFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false
}
