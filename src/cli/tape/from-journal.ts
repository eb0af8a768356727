import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { tapeRowsOf } from '../../daemon/runtime/recording/tape-rows.ts'
import { isFileError } from '../../store/tape/model/problems.ts'
import { openTape } from '../../store/tape/folder/open-tape.ts'
import { readRows } from '../../store/tape/folder/merge-tapes.ts'
import { copyTape } from './copy.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import type { Replayed } from '../../research/jobs/journal/replay-journal.ts'
import { fail, type OutputFormat } from '../output/print.ts'
import { withReplay } from '../journal/journal.ts'
import type { JournalReplay } from '../../research/jobs/journal/read-journal.ts'
import { createSortedRuns } from '../../store/tape/writer/sorted-runs.ts'

type TapeFromJournalOptions = OutputFormat & {
  readonly store: string
  readonly out: string
  readonly config?: string
}

/** Creates a tape from a store's journal, with the rows that a recording daemon would have written. */
export async function tapeFromJournal(options: TapeFromJournalOptions): Promise<void> {
  const { store, out, config = 'config/journal' } = options
  if (existsSync(out)) {
    return fail(options, EXIT_CODE.failed, `${out} exists: it is not overwritten`)
  }
  await withReplay(store, config, options, async (replay) => {
    const runs = workFolder(out)
    if (runs === null) {
      return fail(options, EXIT_CODE.failed, `cannot write beside ${out}: does its folder exist?`)
    }
    try {
      await write(replay, runs, options)
    } finally {
      rmSync(runs, { recursive: true, force: true })
    }
  })
}

/** A late answer has fills of hours ago, so rows are sorted on disk first, which bounds memory. */
async function write(replay: JournalReplay, folder: string, options: TapeFromJournalOptions): Promise<void> {
  const runs = createSortedRuns(folder)
  const replayed = await replay.run(({ event }, audit, state) => runs.add(tapeRowsOf(event, audit, state)))
  const total = runs.end()
  const sorted = openTape(folder, { decisions: true })
  if (total === 0 || !sorted.ok) {
    return fail(options, EXIT_CODE.failed, `${options.store} has a journal without market data`)
  }
  const problems = (): ReturnType<typeof sorted.value.problems> => [
    ...problemsOf(replayed, options.store),
    ...sorted.value.problems().map((problem) => ({ ...problem, file: options.store })),
  ]
  const rows = readRows(sorted.value)
  await copyTape({ rows, total: () => total, problems, repeated: () => 0 }, options.out, options)
}

function problemsOf({ warnings }: Replayed, file: string) {
  return warnings.map((message) => ({ file, at: 'the replay', message, skipped: 0 }))
}

function workFolder(out: string): string | null {
  try {
    return mkdtempSync(`${resolve(out)}.sorting-`)
  } catch (error) {
    if (!isFileError(error)) throw error
    return null
  }
}
