import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { encodeRow } from '../model/encode-row.ts'
import { isFileError } from '../model/problems.ts'
import type { TapeRow } from '../model/row.ts'

export type WrittenTape = {
  readonly rows: number
  readonly files: number
  readonly bytes: number
  /** Time of the first and of the last row; null without rows. */
  readonly from: Ms | null
  readonly to: Ms | null
}

/** Characters that are buffered before each write. */
const CHUNK = 1 << 20

/**
 * Writes rows, which must come in tape order, into a new file of the text form. The file appears only once it is
 * complete. The error names the obstacle.
 */
export async function writeText(
  file: string,
  rows: AsyncIterable<TapeRow> | Iterable<TapeRow>,
): Promise<Result<WrittenTape, string>> {
  if (existsSync(file)) return err(`${file} already exists and is not overwritten`)
  const part = `${file}.${process.pid}.part`
  try {
    const fd = openSync(part, 'wx')
    try {
      const written = await writeLines(fd, rows)
      fsyncSync(fd)
      renameSync(part, file)
      return ok(written)
    } finally {
      closeSync(fd)
      rmSync(part, { force: true })
    }
  } catch (error) {
    if (!isFileError(error)) throw error
    return err(`${file} cannot be written: ${error.message}`)
  }
}

async function writeLines(
  fd: number,
  rows: AsyncIterable<TapeRow> | Iterable<TapeRow>,
): Promise<WrittenTape> {
  let count = 0
  let bytes = 0
  let from: Ms | null = null
  let to: Ms | null = null
  let text = ''

  function flush(): void {
    let rest = Buffer.from(text)
    bytes += rest.length
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
    text = ''
  }

  for await (const row of rows) {
    text += `${encodeRow(row)}\n`
    if (text.length > CHUNK) flush()
    count++
    from ??= row.t
    to = row.t
  }
  flush()
  return { rows: count, files: 1, bytes, from, to }
}

/** The text file of the current period. */
export type OpenTextFile = {
  /** Passes the rows to the operating system; they then survive the end of this process. */
  readonly write: (rows: readonly TapeRow[]) => void
  /** Syncs the written rows to disk; they then survive a power failure. */
  readonly sync: () => void
  readonly close: () => void
}

/** Creates a file that must not exist yet. Like all its methods, throws the file system's error. */
export function createOpenTextFile(file: string): OpenTextFile {
  const fd = openSync(file, 'ax')
  let dirty = false
  return {
    write(rows) {
      let rest = Buffer.from(rows.map((row) => `${encodeRow(row)}\n`).join(''))
      dirty = true
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
    },
    sync() {
      if (dirty) fdatasyncSync(fd)
      dirty = false
    },
    close: () => closeSync(fd),
  }
}
