import type { TapeRow } from '../../../store/tape/model/row.ts'
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The rows of one event. */
type NumberedRows = { readonly seq: number; readonly rows: readonly TapeRow[] }

/** Rows on their way to a tape: first they wait here for their event, then they are the tape's to write. */
export type RowQueue = {
  readonly add: (numbered: NumberedRows) => void
  /** Takes off what waits of events up to `seq`, in order. */
  readonly takeUpTo: (seq: number) => readonly NumberedRows[]
  /** Rows that were taken off and are not known to be on disk, as a debt to be settled. */
  readonly outside: () => number
  /** So many of them are on disk. */
  readonly settle: (rows: number) => void
  /** All that would be lost with this process. */
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

/** Up to which event of a journal a tape is known to hold all rows: a restart completes it from there. */
export type TapeCursor = {
  /** Null where nothing is known of this journal on this tape. */
  readonly seq: () => number | null
  /** Remembers it on disk; whole or as it was. Rejects with the error of the file system. */
  readonly moveTo: (seq: number) => Promise<void>
}

const FILE = 'recorded.json'

/**
 * The cursor lies beside the journal that it counts and names the tape: another journal or another tape begins
 * anew. One that is beyond `lastSeq`, the end of the journal, belongs to an older journal.
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

/** A cursor that is missing or cannot be read counts as null. */
function read(path: string, expected: string): number | null {
  try {
    const { tape, seq } = JSON.parse(readFileSync(path, 'utf8')) as { tape?: unknown; seq?: unknown }
    return tape === expected && typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 ? seq : null
  } catch {
    return null
  }
}
