import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { encodeRow } from './encode-row.ts'
import type { TapeRow } from './tape-row.ts'

/** The text of the period that is being written. */
export type OpenTextFile = {
  /** Hands the rows to the operating system: from then on they survive the end of this process. */
  readonly write: (rows: readonly TapeRow[]) => void
  /** Puts on disk what was written: from then on it survives a power failure. */
  readonly sync: () => void
  readonly close: () => void
}

/** Begins a file that must not be there yet; throws, as all of its functions, what the file system throws. */
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
