import type { TapeRow } from '../../tape/model/row.ts'

/** The rows of one event. */
export type NumberedRows = { readonly seq: number; readonly rows: readonly TapeRow[] }

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
