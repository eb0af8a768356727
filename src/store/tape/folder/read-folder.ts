import { readdirSync } from 'node:fs'
import { errorText } from '../../../base/result.ts'
import { DAY_MS } from '../../../base/time.ts'
import { parquetSegments } from '../parquet/segments.ts'
import { readOpenText, segmentOfRows } from '../text/read-text.ts'
import { readSegments, type SegmentGroup } from './segments.ts'
import { isFileError, type ReadContext } from '../model/problems.ts'
import { listDay, listTapeFolder, type TapeFolder, type WrittenFile } from './layout.ts'
import type { Segment, TapeBatch, TapeWindow } from '../model/batch.ts'

/** How often a folder is listed again after its writer converted text to Parquet meanwhile. */
const TRIES = 10

/** Yields the rows in a tape's folder at the start of the call, in order, even while a daemon writes to it. */
export async function* readFolder(
  folder: string,
  window: TapeWindow,
  desk: ReadContext,
): AsyncGenerator<TapeBatch, undefined> {
  const { listed, texts } = await look(folder, desk)
  for (const file of listed.strays) {
    const message = "text in a tape's folder is not read: name the file itself, or merge it in"
    desk.log.add('stray', { file, at: 'all of it', message, skipped: null })
  }
  for (const file of listed.others.filter(holdsRows)) {
    const message =
      'a folder whose name is not a date, such as 2026-09-07, is not read: rename it, name it as the tape, or move it away'
    desk.log.add('stray', { file, at: 'all of it', message, skipped: null })
  }
  const periods = listed.open.map(({ period }) => period)
  const latest = periods.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...periods)
  // As long as the text of a period exists, its rows are read from it: Parquet of that period is unfinished or holds
  // the same rows. Later periods have begun since.
  const isRead = ({ period }: WrittenFile): boolean =>
    period === null || (period <= latest && !periods.includes(period))
  const open = (files: readonly WrittenFile[]): readonly Segment[] =>
    files.filter(isRead).flatMap(({ file }) => segmentsOf(file, desk))
  const groups: SegmentGroup[] = listed.days
    .filter(({ startsAt }) => startsAt + DAY_MS > (window.from ?? Number.NEGATIVE_INFINITY))
    .map((day) => ({ startsAt: day.startsAt, open: () => open(listDay(day)) }))
  groups.push({ startsAt: Number.NEGATIVE_INFINITY, open: () => [...texts, ...open(listed.loose)] })
  yield* readSegments(groups, window, desk)
}

/** A folder that we may not open is not of the tape, such as the `lost+found` of a disk. */
function holdsRows(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /\.(parquet|jsonl)$/.test(name))
  } catch (error) {
    if (isFileError(error)) return false
    throw error
  }
}

/** Yields the rows of one Parquet file in tape order. */
export function readParquet(
  file: string,
  window: TapeWindow,
  desk: ReadContext,
): AsyncGenerator<TapeBatch, undefined> {
  const startsAt = Number.NEGATIVE_INFINITY
  return readSegments([{ startsAt, open: () => segmentsOf(file, desk) }], window, desk)
}

type Look = { readonly listed: TapeFolder; readonly texts: readonly Segment[] }

async function look(folder: string, { log, wants }: ReadContext): Promise<Look> {
  for (let tries = 1; ; tries++) {
    const listed = listTapeFolder(folder)
    try {
      const texts: Segment[] = []
      for (const { file } of listed.open) {
        const { rows } = await readOpenText(file, log)
        const wanted = rows.filter(({ type }) => wants(type))
        texts.push(segmentOfRows(file, wanted))
      }
      return { listed, texts }
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isGone || tries === TRIES) throw error
    }
  }
}

function segmentsOf(file: string, desk: ReadContext): readonly Segment[] {
  try {
    return parquetSegments(file, desk)
  } catch (error) {
    const message = `it cannot be read (${errorText(error)}): skipped`
    desk.log.add('unreadable', { file, at: 'reading', message, skipped: null })
    return []
  }
}
