import { statSync } from 'node:fs'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { HOUR_MS } from '../../../base/time.ts'
import {
  batchOfRows,
  type TapeBatch,
  type TapeProblem,
  type TapeSource,
  type TapeWindow,
} from '../model/batch.ts'
import {
  createFillDedup,
  type ReadContext,
  createProblemLog,
  isFileError,
  type ProblemLog,
} from '../model/problems.ts'
import { createGapWatch, type Gap, standingRows, standsUntilNext } from './standing-rows.ts'
import { readFolder, readParquet } from './read-folder.ts'
import { readText } from '../text/read-text.ts'
import { listTapeFolder } from './layout.ts'

export type TapeReading = {
  /** The time window to read; absent = the whole tape. */
  readonly window?: TapeWindow
  /** Whether to read the decisions too; they are many, and a backtest does not use them. */
  readonly decisions?: boolean
  /**
   * Whether to repeat, at the start of the window, the quote and the references in effect then: a tape has them only
   * where they change.
   */
  readonly standing?: boolean
}

const WHAT_IS_A_TAPE =
  'a tape is a folder that `mizani record` wrote, a .jsonl or .parquet file, or a .csv file with the columns time and mid'

/**
 * Opens a recording for any number of readings: every `batches()` starts anew, and `problems()` are those of the latest
 * reading. No file content makes it throw. Memory does not grow with the tape. The error describes what `path` should
 * be.
 */
export function openTape(path: string, reading: TapeReading = {}): Result<TapeSource, string> {
  const kind = kindOf(path)
  if (!kind.ok) return kind
  let log: ProblemLog = createProblemLog()
  return ok({
    batches() {
      log = createProblemLog()
      return batchesOf(path, kind.value, reading, log)
    },
    problems: () => log.list(),
  })
}

type TapeKind = 'folder' | 'text' | 'parquet'

function kindOf(path: string): Result<TapeKind, string> {
  try {
    if (statSync(path).isDirectory()) return checkFolder(path)
  } catch (error) {
    return err(`${path} cannot be read (${errorText(error)}): ${WHAT_IS_A_TAPE}`)
  }
  if (path.endsWith('.jsonl') || path.endsWith('.csv')) return ok('text')
  if (path.endsWith('.parquet')) return ok('parquet')
  return err(`${path} is not a tape: ${WHAT_IS_A_TAPE}`)
}

function checkFolder(path: string): Result<TapeKind, string> {
  const { days, loose, open } = listTapeFolder(path)
  if (days.length + loose.length + open.length > 0) return ok('folder')
  return err(`${path} is a folder without a recording: ${WHAT_IS_A_TAPE}`)
}

async function* batchesOf(
  path: string,
  kind: TapeKind,
  reading: TapeReading,
  log: ProblemLog,
): AsyncGenerator<TapeBatch, undefined> {
  const desk: ReadContext = {
    log,
    fills: createFillDedup(log),
    wants: (kind) => kind !== 'decision' || reading.decisions === true,
  }
  const watchGaps = createGapWatch((gap) => log.add('gap', gapProblem(path, gap)))
  const earlier = createProblemLog()
  let rows = 0
  try {
    for await (const batch of source(path, kind, reading.window ?? {}, desk)) {
      const standing = rows === 0 && batch.rows > 0 ? await standingBatch(path, kind, reading, earlier) : null
      if (standing !== null) yield standing
      watchGaps(batch.rates)
      rows += batch.rows
      yield batch
    }
  } catch (error) {
    if (!isFileError(error)) throw error
    log.add('unreadable', unreadable(path, error))
  }
  if (rows === 0) log.add('empty', { file: path, at: 'all of it', message: 'no rows to read', skipped: 0 })
  // Text is read from its beginning anyway, and has reported all problems.
  if (kind !== 'text') tellOthers(earlier.list(), log)
}

/** Returns the rows in effect when the window begins; null if there is no such row or it is not wanted. */
async function standingBatch(
  path: string,
  kind: TapeKind,
  { window, standing }: TapeReading,
  log: ProblemLog,
): Promise<TapeBatch | null> {
  const from = window?.from
  if (standing !== true || from === undefined) return null
  const desk: ReadContext = { log, fills: createFillDedup(log), wants: standsUntilNext }
  const rows = await standingRows(source(path, kind, { to: from }, desk), from)
  return rows.length > 0 ? batchOfRows(rows) : null
}

/** Adds the earlier problems that the window has not already reported. */
function tellOthers(problems: readonly TapeProblem[], log: ProblemLog): void {
  const told = new Set(log.list().map((problem) => JSON.stringify(problem)))
  for (const problem of problems) {
    if (!told.has(JSON.stringify(problem))) log.add('before the window', problem)
  }
}

async function* source(
  path: string,
  kind: TapeKind,
  window: TapeWindow,
  desk: ReadContext,
): AsyncGenerator<TapeBatch, undefined> {
  if (kind === 'text') {
    for await (const rows of readText(path, window, desk)) yield batchOfRows(rows)
  } else {
    yield* kind === 'folder' ? readFolder(path, window, desk) : readParquet(path, window, desk)
  }
}

function gapProblem(file: string, { from, to }: Gap): TapeProblem {
  const at = `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`
  return { file, at, message: `no rate for ${((to - from) / HOUR_MS).toFixed(1)} h`, skipped: 0 }
}

function unreadable(file: string, error: Error): TapeProblem {
  return { file, at: 'reading', message: `${error.message}: the rest was not read`, skipped: null }
}

/**
 * Returns the same tape, cached in memory after its first complete reading if it has at most `maxRows`, so that many
 * backtests need not decode it each time.
 */
export function rememberTape(source: TapeSource, maxRows: number): TapeSource {
  let remembered: readonly TapeBatch[] | null = null
  return {
    problems: source.problems,
    async *batches() {
      if (remembered !== null) {
        yield* remembered
        return
      }
      let kept: TapeBatch[] | null = []
      let rows = 0
      for await (const batch of source.batches()) {
        rows += rowsIn(batch)
        if (rows > maxRows) kept = null
        kept?.push(batch)
        yield batch
      }
      remembered = kept
    },
  }
}

/** A tape without repetitions has fewer rows than its batches count. */
function rowsIn({ rates, competition, references, balances, quotes, fills, decisions }: TapeBatch): number {
  const lists = [references, balances, quotes, fills, decisions]
  return lists.reduce((rows, { length }) => rows + length, rates.length + competition.length)
}
