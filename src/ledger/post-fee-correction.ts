import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { LedgerEntry, Posting } from './entry.ts'
import { accrueValue } from './accrue-mark.ts'
import { type Where, type BookState, moveUnits, numberEntry } from './book.ts'
import { markTo } from './mark-to.ts'

/** Protocol fees were higher (positive) or lower than posted: a cost, valued at the mark. */
export function postFeeCorrection(
  book: BookState,
  t: Ms,
  asset: Asset,
  amount: bigint,
  reason: string,
  mid: Rate | null,
  where: Where = 'pool',
): LedgerEntry {
  markTo(book, mid)
  const postings: Posting[] = []
  moveUnits(book, postings, where, 'fees', asset, amount)
  accrueValue(book.pnl, 'costs', asset, -amount)
  return numberEntry(book, t, 'fee-correction', reason, postings, null)
}
