import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { LedgerEntry, Posting } from './entry.ts'
import { accrueValue } from './accrue-mark.ts'
import { type Where, type BookState, moveUnits, numberEntry } from './book.ts'
import { markTo } from './mark-to.ts'

/** Our own money crossed our border; `amount` is positive both ways. A flow, not PnL. */
export function postTransfer(
  book: BookState,
  t: Ms,
  kind: 'deposit' | 'withdrawal',
  asset: Asset,
  amount: bigint,
  where: Where,
  reason: string,
  fairValue: Rate | null,
): LedgerEntry {
  markTo(book, fairValue)
  const signed = kind === 'deposit' ? amount : -amount
  const postings: Posting[] = []
  moveUnits(book, postings, 'external', where, asset, signed)
  accrueValue(book.pnl, 'flows', asset, signed)
  return numberEntry(book, t, kind, reason, postings, null)
}
