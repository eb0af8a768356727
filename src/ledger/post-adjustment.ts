import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { LedgerEntry, Posting } from './entry.ts'
import { accrueValue } from './accrue-mark.ts'
import { type Where, type BookState, moveUnits, numberEntry } from './book.ts'
import { markTo } from './mark-to.ts'

/** What could not be explained, booked on purpose and with a reason; positive = units came. */
export function postAdjustment(
  book: BookState,
  t: Ms,
  asset: Asset,
  amount: bigint,
  where: Where,
  reason: string,
  fairValue: Rate | null,
): LedgerEntry {
  markTo(book, fairValue)
  const postings: Posting[] = []
  moveUnits(book, postings, 'adjustments', where, asset, amount)
  accrueValue(book.pnl, 'unexplained', asset, amount)
  return numberEntry(book, t, 'adjustment', reason, postings, null)
}
