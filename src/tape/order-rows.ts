import type { Ms } from '../base/time.ts'
import { compareRows } from './compare-rows.ts'
import type { TapeRow } from './tape-row.ts'

/**
 * Rows in the order of a tape, less those that are older than one before them: `tell` hears of each, and of
 * the time that it should not be older than.
 */
export function orderRows<Row extends TapeRow>(
  rows: readonly Row[],
  tell: (row: Row, last: Ms) => void,
): Row[] {
  let last = Number.NEGATIVE_INFINITY
  const kept = rows.filter((row) => {
    if (row.t < last) {
      tell(row, last)
      return false
    }
    last = row.t
    return true
  })
  return kept.sort(compareRows)
}
