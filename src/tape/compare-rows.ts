import { encodeRow } from './encode-row.ts'
import { ROW_KINDS, type TapeRow } from './tape-row.ts'

/**
 * The order of a tape, for sorting: by time, at one time by kind as in `ROW_KINDS`, within a kind by the
 * canonical text, compared by UTF-16 units. Only equal rows compare as 0.
 */
export function compareRows(a: TapeRow, b: TapeRow): number {
  if (a.t !== b.t) return a.t - b.t
  if (a.type !== b.type) return ROW_KINDS.indexOf(a.type) - ROW_KINDS.indexOf(b.type)
  const [textA, textB] = [encodeRow(a), encodeRow(b)]
  return textA < textB ? -1 : textA > textB ? 1 : 0
}
