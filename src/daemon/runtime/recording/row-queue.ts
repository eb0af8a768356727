import type { TapeRow } from '../../../store/tape/model/row.ts'
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The rows of one event. */
type NumberedRows = { readonly seq: number; readonly rows: readonly TapeRow[] }

/** Rows for a tape. They wait here until their event is on disk, and are counted until the tape has them on disk. */
export type RowQueue = {
  readonly add: (numbered: NumberedRows) => void
  /** Removes and returns the waiting rows of events up to `seq`, in order. */
  readonly takeUpTo: (seq: number) => readonly NumberedRows[]
  /** Returns the number of removed rows that are not known to be on disk. */
  readonly outside: () => number
  /** Records that this number of them is on disk. */
  readonly settle: (rows: number) => void
  /** Returns the number of rows that would be lost with this process. */
  readonly held: () => number
  readonly clear: () => void
}

export function createRowQueue(): RowQueue {
  let waiting: NumberedRows[] = []
  let [inside, outside] = [0, 0]
  return {
    add(numbered) {
      if (numbered.rows.length === 0) return
      waiting.push(numbered)
      inside += numbered.rows.length
    },
    takeUpTo(seq) {
      const later = waiting.findIndex((one) => one.seq > seq)
      const taken = waiting.splice(0, later === -1 ? waiting.length : later)
      const rows = taken.reduce((sum, one) => sum + one.rows.length, 0)
      inside -= rows
      outside += rows
      return taken
    },
    outside: () => outside,
    settle: (rows) => void (outside -= rows),
    held: () => inside + outside,
    clear() {
      waiting = []
      ;[inside, outside] = [0, 0]
    },
  }
}

/** The last event up to which a tape is known to have all rows; a restart completes the tape from there. */
export type TapeCursor = {
  /** Returns null if the tape's rows of this journal are unknown. */
  readonly seq: () => number | null
  /** Writes the cursor atomically. Rejects with the error of the file system. */
  readonly moveTo: (seq: number) => Promise<void>
}

const FILE = 'recorded.json'

/**
 * Opens the cursor, a file next to the journal that names the tape. A cursor for another tape is ignored, and so is one beyond
 * `lastSeq`, the end of the journal, which belongs to an older journal.
 */
export function openTapeCursor(storeFolder: string, tapeFolder: string, lastSeq: number): TapeCursor {
  const path = join(storeFolder, FILE)
  const tape = resolve(tapeFolder)
  const found = read(path, tape)
  let known = found === null || found > lastSeq ? null : found
  return {
    seq: () => known,
    async moveTo(seq) {
      if (seq === known) return
      await writeFile(`${path}.part`, JSON.stringify({ tape, seq }))
      await rename(`${path}.part`, path)
      known = seq
    },
  }
}

/** Returns null for a missing or unreadable cursor. */
function read(path: string, expected: string): number | null {
  try {
    const { tape, seq } = JSON.parse(readFileSync(path, 'utf8')) as { tape?: unknown; seq?: unknown }
    return tape === expected && typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 ? seq : null
  } catch {
    return null
  }
}
