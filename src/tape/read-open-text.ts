import { batchOfRows } from './batch-of-rows.ts'
import { compareRows } from './compare-rows.ts'
import { createLineDecoder } from './line-decoder.ts'
import type { ProblemLog } from './problem-log.ts'
import { readLines } from './read-lines.ts'
import type { Segment } from './segment.ts'
import type { TapeRow } from './tape-row.ts'

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

export type OpenTextRead = {
  readonly rows: readonly TapeRow[]
  /** Whole lines that are no row. */
  readonly broken: number
}

/** Rows that are in memory already as a segment among others. */
export function segmentOfRows(file: string, rows: readonly TapeRow[]): Segment {
  const startsAt = rows[0]?.t ?? Number.POSITIVE_INFINITY
  return { startsAt, file, at: 'text', load: () => batchOfRows(rows) }
}
