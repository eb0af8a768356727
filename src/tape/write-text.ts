import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import { encodeRow } from './encode-row.ts'
import { isFileError } from './is-file-error.ts'
import type { TapeRow } from './tape-row.ts'
import type { WrittenTape } from './write-tape.ts'

/** Characters that are gathered before they are written. */
const CHUNK = 1 << 20

/**
 * Writes rows, which come in the order of a tape, into a file of the text form, which must not be there yet
 * and is there, whole, only afterwards. The error says what is in the way.
 */
export async function writeText(
  file: string,
  rows: AsyncIterable<TapeRow> | Iterable<TapeRow>,
): Promise<Result<WrittenTape, string>> {
  if (existsSync(file)) return err(`${file} is there already: it is not overwritten`)
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
