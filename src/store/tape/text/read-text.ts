import type { Ms } from '../../../base/time.ts'
import { compareRows } from '../model/encode-row.ts'
import { createLineDecoder, readLines } from './read-lines.ts'
import type { ReadContext } from '../model/dedupe-fills.ts'
import { batchOfRows, type Segment, type TapeWindow } from '../model/batch.ts'
import type { TapeRow } from '../model/row.ts'
import type { ProblemLog } from '../model/problems.ts'

/** Rows that are held at a time. */
const CHUNK_ROWS = 32_768

type Entry = { readonly row: TapeRow; readonly line: number }

/**
 * The rows of a file in the text form, in the order of a tape, some ten thousand at a time; rows of one time
 * are never split. Lines that are no row, and rows that are older than one before them, are skipped and told.
 */
export async function* readText(
  file: string,
  window: TapeWindow,
  { log, fills, wants }: ReadContext,
): AsyncGenerator<readonly TapeRow[], undefined> {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = window
  const decode = createLineDecoder(file, log)
  let entries: Entry[] = []
  let last: Ms = Number.NEGATIVE_INFINITY

  const inOrder = (): readonly TapeRow[] =>
    entries
      .sort((a, b) => compareRows(a.row, b.row))
      .filter(({ row, line }) => row.type !== 'fill' || fills.admits(row, file, `line ${line}`))
      .map(({ row }) => row)

  for await (const lines of readLines(file)) {
    for (const { number, text } of lines) {
      const row = decode(number, text)
      if (row === null) continue
      if (row.t < last) {
        const message = `${iso(row.t)} comes after ${iso(last)}: skipped`
        log.add('backwards', { file, at: `line ${number}`, message, skipped: 1 })
        continue
      }
      if (entries.length >= CHUNK_ROWS && row.t > last) {
        yield inOrder()
        entries = []
      }
      last = row.t
      if (row.t >= to) break
      if (row.t >= from && wants(row.type)) entries.push({ row, line: number })
    }
    if (last >= to) break
  }
  if (entries.length > 0) yield inOrder()
}

function iso(t: Ms): string {
  return new Date(t).toISOString()
}

/**
 * The text of a period that is not Parquet yet, as it is now. Its rows lie as they arrived, fills late: here
 * they are in the order of a tape. A last line that was not ended is left out and told. Rejects with what
 * the file system says.
 */
export async function readOpenText(file: string, log: ProblemLog): Promise<OpenTextRead> {
  const decode = createLineDecoder(file, log)
  const rows: TapeRow[] = []
  let broken = 0
  for await (const lines of readLines(file)) {
    for (const { number, text, ended } of lines) {
      if (!ended) {
        const message = 'the last line is not complete: left out'
        log.add('torn', { file, at: `line ${number}`, message, skipped: 1 })
        continue
      }
      const row = decode(number, text)
      if (row === null) broken++
      else rows.push(row)
    }
  }
  return { rows: rows.sort(compareRows), broken }
}

type OpenTextRead = {
  readonly rows: readonly TapeRow[]
  /** Whole lines that are no row. */
  readonly broken: number
}

/** Rows that are in memory already as a segment among others. */
export function segmentOfRows(file: string, rows: readonly TapeRow[]): Segment {
  const startsAt = rows[0]?.t ?? Number.POSITIVE_INFINITY
  return { startsAt, file, at: 'text', load: () => batchOfRows(rows) }
}
