import { mkdirSync } from 'node:fs'
import { DAY_MS, type Ms } from '../../../base/time.ts'
import { finishPeriod, recoverTape } from './periods.ts'
import { createOpenTextFile, type OpenTextFile } from '../text/write-text.ts'
import { createProblemLog } from '../model/problems.ts'
import { type OpenText, openTextOf, syncFolder } from '../folder/layout.ts'
import type { TapeProblem } from '../model/batch.ts'
import type { TapeRow } from '../model/row.ts'

/** The writing end of a tape. File system errors go to the caller, or to `onFailure` if no caller waits. */
export type TapeRecorder = {
  /** The unreadable rows that a killed writer left. */
  readonly recovered: readonly TapeProblem[]
  readonly write: (rows: readonly TapeRow[], now: Ms) => void
  readonly sync: () => void
  /** Call it about every second: syncs new rows to disk, and begins a new period when it is due. */
  readonly tick: (now: Ms) => void
  /** Converts everything to Parquet; nothing may be written afterwards. */
  readonly finish: () => Promise<void>
}

/** A period is in memory while it is converted to Parquet, so a busy one ends early. */
const MAX_PERIOD_ROWS = 1_000_000

/** Returns when a period that begins at `now` ends: after `rotateMs`, or at midnight UTC if earlier. */
export function periodEnd(now: Ms, rotateMs: Ms): Ms {
  return Math.min(now + rotateMs, (Math.floor(now / DAY_MS) + 1) * DAY_MS)
}

/** Opens the tape in `folder`, creating it if necessary, after finishing what was left open. */
export async function openTapeRecorder(
  folder: string,
  rotateMs: Ms,
  now: Ms,
  onFailure: (error: unknown) => void,
): Promise<TapeRecorder> {
  mkdirSync(folder, { recursive: true })
  const log = createProblemLog()
  let place: OpenText = openTextOf(folder, await recoverTape(folder, log))
  let text: OpenTextFile = begin(folder, place)
  let rows = 0
  let endsAt = periodEnd(now, rotateMs)
  let finishing = Promise.resolve()

  function rotate(at: Ms): void {
    endsAt = periodEnd(at, rotateMs)
    if (rows === 0) return
    const ended = place
    text.sync()
    text.close()
    place = openTextOf(folder, ended.period + 1)
    text = begin(folder, place)
    rows = 0
    // Rows that arrive meanwhile go to the new text.
    finishing = finishing.then(() => finishPeriod(folder, ended, createProblemLog())).catch(onFailure)
  }

  return {
    recovered: log.list(),
    write(more, at) {
      text.write(more)
      rows += more.length
      if (rows >= MAX_PERIOD_ROWS) rotate(at)
    },
    sync: () => text.sync(),
    tick(at) {
      text.sync()
      if (at >= endsAt) rotate(at)
    },
    async finish() {
      text.sync()
      text.close()
      await finishing
      await finishPeriod(folder, place, createProblemLog())
    },
  }
}

function begin(folder: string, { file }: OpenText): OpenTextFile {
  const text = createOpenTextFile(file)
  syncFolder(folder)
  return text
}
