import type { TapeProblem } from './batch.ts'
import { DAY_MS, type Ms } from '../../../base/time.ts'
import { compareRows } from './encode-row.ts'
import type { TapeFill, RowKind } from './row.ts'

/** Problems of one kind in one file that are notified one by one; the rest are counted. */
const TOLD = 20

/** Collects what went wrong while a tape is read. */
export type ProblemLog = {
  /** `kind` tells which problems are alike; it is not shown. */
  readonly add: (kind: string, problem: TapeProblem) => void
  readonly list: () => readonly TapeProblem[]
}

type Alike = {
  readonly told: TapeProblem[]
  readonly rest: { count: number; skipped: number | null }
  last: string
}

/** Promises memory that does not grow with the number of problems in a file. */
export function createProblemLog(): ProblemLog {
  const byFileAndKind = new Map<string, Alike>()
  return {
    add(kind, problem) {
      const key = `${problem.file}\0${kind}`
      let alike = byFileAndKind.get(key)
      if (alike === undefined) {
        alike = { told: [], rest: { count: 0, skipped: 0 }, last: '' }
        byFileAndKind.set(key, alike)
      }
      if (alike.told.length < TOLD) {
        alike.told.push(problem)
        return
      }
      const { rest } = alike
      rest.count++
      rest.skipped = rest.skipped === null || problem.skipped === null ? null : rest.skipped + problem.skipped
      alike.last = problem.at
    },
    list() {
      return [...byFileAndKind.values()].flatMap(({ told, rest, last }) => {
        const [first] = told
        if (rest.count === 0 || first === undefined) return told
        const message = `${rest.count} more like the ${TOLD} above`
        return [...told, { file: first.file, at: `up to ${last}`, message, skipped: rest.skipped }]
      })
    },
  }
}

/** Returns whether this is what the operating system says about a file; anything else is a mistake of ours. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error
}

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
