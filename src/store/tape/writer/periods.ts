import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DAY_MS } from '../../../base/time.ts'
import { createParquetFile, type ParquetFile } from '../parquet/write.ts'
import type { RowKind, TapeRow } from '../model/row.ts'
import type { ProblemLog } from '../model/problems.ts'
import { readOpenText } from '../text/read-text.ts'
import { listDay, listTapeFolder, type OpenText, syncFolder } from '../folder/layout.ts'

/** Writes the rows of one period into a tape's day folders: a Parquet file for each kind and UTC day. */
export type PeriodWriter = {
  /** Rows come in tape order. */
  readonly add: (row: TapeRow) => void
  readonly finish: () => PeriodFiles
  /** Removes unfinished files. */
  readonly abandon: () => void
}

type PeriodFiles = {
  readonly files: number
  readonly bytes: number
  /** The folders with new files. */
  readonly folders: readonly string[]
}

/** Kinds that are columns in memory are read in large groups; the others are objects, which need more memory. */
const GROUP_ROWS: Readonly<Record<RowKind, number>> = {
  rate: 131_072,
  competition: 131_072,
  reference: 8_192,
  balances: 8_192,
  quote: 8_192,
  fill: 8_192,
  decision: 8_192,
}

type Output = { readonly file: ParquetFile; rows: TapeRow[] }

/** `period` distinguishes this writer's files from those of other periods. */
export function createPeriodWriter(folder: string, period: number): PeriodWriter {
  const outputs = new Map<RowKind, Output>()
  const folders = new Set<string>()
  let day = ''
  let files = 0
  let bytes = 0

  function finishDay(): void {
    for (const [kind, { file, rows }] of outputs) {
      if (rows.length > 0) file.append(rows)
      bytes += file.finish()
      files++
      outputs.delete(kind)
    }
  }

  function outputOf({ type, t }: TapeRow): Output {
    const known = outputs.get(type)
    if (known !== undefined) return known
    const into = join(folder, day)
    if (!folders.has(into)) mkdirSync(into, { recursive: true })
    folders.add(into)
    const time = new Date(t).toISOString().slice(11, 19).replaceAll(':', '')
    const file = createParquetFile(join(into, `${time}-${period}.${type}.parquet`), type)
    const output: Output = { file, rows: [] }
    outputs.set(type, output)
    return output
  }

  let dayEnds = Number.NEGATIVE_INFINITY
  return {
    add(row) {
      if (row.t >= dayEnds) {
        finishDay()
        day = new Date(row.t).toISOString().slice(0, 10)
        dayEnds = Date.parse(day) + DAY_MS
      }
      const output = outputOf(row)
      output.rows.push(row)
      if (output.rows.length < GROUP_ROWS[row.type]) return
      output.file.append(output.rows)
      output.rows = []
    },
    finish() {
      finishDay()
      return { files, bytes, folders: [...folders] }
    },
    abandon() {
      for (const { file } of outputs.values()) file.abandon()
      outputs.clear()
    },
  }
}

/** Resolves when this thread's latest period is finished. */
let finished = Promise.resolve()

/**
 * Converts the text of a period, which is no longer written, into Parquet files. Readers take the rows from the text
 * while it exists, so its removal at the end commits the files: a crash before it changes nothing, and the conversion
 * can be repeated. Invalid lines stay in a separate file. A period is in memory meanwhile, and the periods of all tapes
 * end at midnight, so a thread converts them one at a time. Rejects with the file system's error.
 */
export function finishPeriod(folder: string, text: OpenText, log: ProblemLog): Promise<void> {
  const finishing = finished.then(() => toParquet(folder, text, log))
  finished = finishing.catch(() => undefined)
  return finishing
}

async function toParquet(folder: string, { file, period }: OpenText, log: ProblemLog): Promise<void> {
  const { rows, broken } = await readOpenText(file, log)
  const writer = createPeriodWriter(folder, period)
  try {
    for (const row of rows) writer.add(row)
    for (const day of writer.finish().folders) syncFolder(day)
  } finally {
    writer.abandon()
  }
  syncFolder(folder)
  if (broken > 0) renameSync(file, join(dirname(file), `unreadable-${period}.txt`))
  else rmSync(file)
  syncFolder(folder)
}

/**
 * Finishes what a killed writer left open, and returns the number of the next period. Recreates the unfinished Parquet
 * files of such a period.
 */
export async function recoverTape(folder: string, log: ProblemLog): Promise<number> {
  const { days, open } = listTapeFolder(folder)
  const files = days.flatMap(listDay)
  const unfinished = new Set(open.map(({ period }) => period))
  for (const { file, period } of files) if (unfinished.has(period ?? 0)) rmSync(file)
  for (const text of open) await finishPeriod(folder, text, log)
  const periods = files.map(({ period }) => period ?? 0)
  return Math.max(0, ...periods, ...unfinished) + 1
}
