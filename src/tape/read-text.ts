import type { Ms } from '../base/time.ts'
import { compareRows } from './compare-rows.ts'
import { decodeRow } from './decode-row.ts'
import type { FillGate } from './fill-gate.ts'
import type { ProblemLog } from './problem-log.ts'
import { readLines } from './read-lines.ts'
import type { TapeWindow } from './tape-batch.ts'
import type { TapeRow } from './tape-row.ts'

/** Rows that are held at a time. */
const CHUNK_ROWS = 32_768

type Entry = { readonly row: TapeRow; readonly line: number }

/** Where rows go that cannot be used, and what decides about fills. */
export type ReadingDesk = { readonly log: ProblemLog; readonly fills: FillGate }

/**
 * The rows of a file in the text form, in the order of a tape, some ten thousand at a time; rows of one time
 * are never split. Lines that are no row, and rows that are older than one before them, are skipped and told.
 */
export async function* readText(
  file: string,
  window: TapeWindow,
  { log, fills }: ReadingDesk,
): AsyncGenerator<readonly TapeRow[], undefined> {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = window
  const decode = lineDecoder(file, log)
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
      if (row.t >= from) entries.push({ row, line: number })
    }
    if (last >= to) break
  }
  if (entries.length > 0) yield inOrder()
}

/** Reads a line or tells why it is none. Fields that are not kept are told once each. */
function lineDecoder(file: string, log: ProblemLog): (line: number, text: string | null) => TapeRow | null {
  const told = new Set<string>()
  return (line, text) => {
    const at = `line ${line}`
    const decoded =
      text === null
        ? ({ ok: false, error: 'not a line of UTF-8 text' } as const)
        : decodeRow(text, (field) => {
            if (told.has(field)) return
            told.add(field)
            log.add('unknown field', { file, at, message: `field ${field} is not kept`, skipped: 0 })
          })
    if (decoded.ok) return decoded.value
    log.add('no row', { file, at, message: `${decoded.error}: skipped`, skipped: 1 })
    return null
  }
}

function iso(t: Ms): string {
  return new Date(t).toISOString()
}
