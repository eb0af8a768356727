import type { TapeProblem } from './batch.ts'

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

/** Whether this is what the operating system says about a file; anything else is a mistake of ours. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
