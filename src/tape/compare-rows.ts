import { encodeRow } from './encode-row.ts'
import { ROW_KINDS, type TapeRow } from './tape-row.ts'

/**
 * The order of a tape, for sorting: by time, at one time by kind as in `ROW_KINDS`, within a kind by the
 * canonical text, compared by UTF-16 units. Only equal rows compare as 0.
 */
export function compareRows(a: TapeRow, b: TapeRow): number {
  if (a.t !== b.t) return a.t - b.t
  if (a.type !== b.type) return ROW_KINDS.indexOf(a.type) - ROW_KINDS.indexOf(b.type)
  // A fill's text begins with its id, and that nearly always decides: no need for the whole of it.
  if (a.type === 'fill' && b.type === 'fill' && a.id !== b.id) {
    return compareTexts(JSON.stringify(a.id), JSON.stringify(b.id))
  }
  return compareTexts(encodeRow(a), encodeRow(b))
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
