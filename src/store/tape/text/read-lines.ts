import { createReadStream } from 'node:fs'
import { decodeRow } from '../model/decode-row.ts'
import type { ProblemLog } from '../model/problems.ts'
import type { TapeRow } from '../model/row.ts'

const NEWLINE = 0x0a
/** No row comes near this; a longer line is not text of ours and may not cost memory. */
const MAX_LINE_BYTES = 1 << 20

type Line = {
  /** From 1. */
  readonly number: number
  /** Null where the line is too long or is not UTF-8. */
  readonly text: string | null
  /** False for a last line that was not ended. */
  readonly ended: boolean
}

/** The lines of a text file, a chunk at a time, without those that are blank. Rejects when the file cannot be read. */
export async function* readLines(file: string): AsyncGenerator<readonly Line[], undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest: Buffer = Buffer.alloc(0)
  let number = 0
  let overlong = false

  function lineOf(bytes: Buffer, ended: boolean): Line {
    number++
    if (overlong || bytes.length > MAX_LINE_BYTES) return { number, text: null, ended }
    try {
      return { number, text: decoder.decode(bytes).trim(), ended }
    } catch {
      return { number, text: null, ended }
    }
  }

  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const lines: Line[] = []
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      lines.push(lineOf(bytes.subarray(from, end), true))
      overlong = false
      from = end + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > MAX_LINE_BYTES) {
      overlong = true
      rest = Buffer.alloc(0)
    }
    yield lines.filter(({ text }) => text !== '')
  }
  if (rest.length > 0 || overlong) {
    const last = lineOf(rest, false)
    if (last.text !== '') yield [last]
  }
}

/** Reads a line; null where it is not one, which has been told. */
type LineDecoder = (line: number, text: string | null) => TapeRow | null

/** For the lines of one file. Fields that are not kept are notified once each. */
export function createLineDecoder(file: string, log: ProblemLog): LineDecoder {
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
