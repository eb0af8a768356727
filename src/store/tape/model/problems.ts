import type { TapeProblem } from './batch.ts'
import { DAY_MS, type Ms } from '../../../base/time.ts'
import { compareRows } from './encode-row.ts'
import type { TapeFill, RowKind } from './row.ts'

/** Problems of one kind in one file that are reported one by one; the rest are counted. */
const TOLD = 20

/** Collects the problems met while reading a tape. */
export type ProblemLog = {
  /** `kind` groups similar problems; it is not shown. */
  readonly add: (kind: string, problem: TapeProblem) => void
  readonly list: () => readonly TapeProblem[]
}

type Alike = {
  readonly told: TapeProblem[]
  readonly rest: { count: number; skipped: number | null; fills: number }
  last: string
}

/** Keeps memory bounded regardless of the number of problems in a file. */
export function createProblemLog(): ProblemLog {
  const byFileAndKind = new Map<string, Alike>()
  return {
    add(kind, problem) {
      const key = `${problem.file}\0${kind}`
      let alike = byFileAndKind.get(key)
      if (alike === undefined) {
        alike = { told: [], rest: { count: 0, skipped: 0, fills: 0 }, last: '' }
        byFileAndKind.set(key, alike)
      }
      if (alike.told.length < TOLD) {
        alike.told.push(problem)
        return
      }
      const { rest } = alike
      rest.count++
      rest.fills += problem.fills ?? 0
      rest.skipped = rest.skipped === null || problem.skipped === null ? null : rest.skipped + problem.skipped
      alike.last = problem.at
    },
    list() {
      return [...byFileAndKind.values()].flatMap(({ told, rest, last }) => {
        const [first] = told
        if (rest.count === 0 || first === undefined) return told
        const message = `${rest.count} more like the ${TOLD} above`
        const place = { file: first.file, at: `up to ${last}` }
        return [...told, { ...place, message, ...lostRows(rest.skipped, rest.fills) }]
      })
    },
  }
}

export function lostRows(
  skipped: number | null,
  fills: number | null,
): Pick<TapeProblem, 'skipped' | 'fills'> {
  return fills === null || fills === 0 ? { skipped } : { skipped, fills }
}

/** Returns whether the error comes from the file system; any other error is our bug. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error
}

/** Fills are remembered for at least this long on the tape; no venue reports one again later. */
const MEMORY_MS = 7 * DAY_MS

/** Admits every fill once. Fills come in tape order. */
export type FillDedup = {
  /** False for a repeated fill id, which is reported as a problem at `at` of `file`. */
  readonly admits: (row: TapeFill, file: string, at: string) => boolean
}

/** Remembers two weeks of fills rather than the whole tape. */
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
        ? `fill ${row.id} is repeated, equal to the first: skipped`
        : `fill ${row.id} is repeated with other values: skipped, the first one counts`
      log.add(repeated ? 'fill repeated' : 'fill changed', { file, at, message, skipped: 1 })
      return false
    },
  }
}

/** The input of every file reader: where problems go, the fill filter, and which rows are wanted. */
export type ReadContext = {
  readonly log: ProblemLog
  readonly fills: FillDedup
  readonly wants: (kind: RowKind) => boolean
}
