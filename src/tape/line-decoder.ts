import { decodeRow } from './decode-row.ts'
import type { ProblemLog } from './problem-log.ts'
import type { TapeRow } from './tape-row.ts'

/** Reads a line; null where it is none, which has been told. */
export type LineDecoder = (line: number, text: string | null) => TapeRow | null

/** For the lines of one file. Fields that are not kept are told once each. */
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
