import { renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createPeriodWriter } from './create-period-writer.ts'
import type { ProblemLog } from './problem-log.ts'
import { readOpenText } from './read-open-text.ts'
import { syncFolder } from './sync-folder.ts'
import { listDay, listTapeFolder, type OpenText } from './tape-folder.ts'

/**
 * Turns the text of a period, to which nobody writes any more, into Parquet files. As long as the text is
 * there readers take the rows from it, so its removal at the very end is what makes the files count: a crash
 * before that changes nothing, and this can be done again. Lines that are no rows stay in a file of their own.
 * Rejects with what the file system says.
 */
export async function finishPeriod(
  folder: string,
  { file, period }: OpenText,
  log: ProblemLog,
): Promise<void> {
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
 * Finishes what a writer that was killed left open, and says the number of the next period. Parquet files
 * of such a period are not finished and made anew.
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
