import type { Ms } from '../base/time.ts'
import { compareRows } from './compare-rows.ts'
import { createLineDecoder } from './line-decoder.ts'
import { readLines } from './read-lines.ts'
import type { ReadingDesk } from './reading-desk.ts'
import type { TapeWindow } from './tape-batch.ts'
import type { TapeRow } from './tape-row.ts'

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
  { log, fills, wants }: ReadingDesk,
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
