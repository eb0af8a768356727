import { DAY_MS, type Ms } from '../../../base/time.ts'
import { compareRows } from './encode-row.ts'
import type { ProblemLog } from './problems.ts'
import type { TapeFill, RowKind } from './row.ts'

/** A fill is remembered for at least this long on the tape: no venue reports one again after that. */
const MEMORY_MS = 7 * DAY_MS

/** Lets every fill through once. Fills come in the order of the tape. */
export type FillDedup = {
  /** False for a fill whose id was there before; that is notified as a problem at `at` of `file`. */
  readonly admits: (row: TapeFill, file: string, at: string) => boolean
}

/** Promises memory for two weeks of fills, not for all of a tape. */
export function createFillDedup(log: ProblemLog): FillDedup {
  let recent = new Map<string, TapeFill>()
  let older = new Map<string, TapeFill>()
  let turnAt: Ms = Number.NEGATIVE_INFINITY
  return {
    admits(row, file, at) {
      if (row.t >= turnAt) {
        older = row.t >= turnAt + MEMORY_MS ? new Map() : recent
        recent = new Map()
        turnAt = row.t + MEMORY_MS
      }
      const known = recent.get(row.id) ?? older.get(row.id)
      if (known === undefined) {
        recent.set(row.id, row)
        return true
      }
      const repeated = compareRows(known, row) === 0
      const message = repeated
        ? `fill ${row.id} is there a second time, equal to the first: skipped`
        : `fill ${row.id} is there a second time and changed: skipped, the first one counts`
      log.add(repeated ? 'fill repeated' : 'fill changed', { file, at, message, skipped: 1 })
      return false
    },
  }
}

/** What every reader of a file needs: where problems go, what decides about fills, which rows are wanted. */
export type ReadContext = {
  readonly log: ProblemLog
  readonly fills: FillDedup
  readonly wants: (kind: RowKind) => boolean
}
