import type { Ms } from '../base/time.ts'
import { ASSETS, type Amounts } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { LedgerEntry, Posting } from './entry.ts'
import { accrueValue } from './accrue-mark.ts'
import { type Where, type BookState, moveUnits, numberEntry } from './book.ts'
import { markTo } from './mark-to.ts'

/** What we start from. Opening again (an asset first seen later) adds to it; it is never PnL. */
export function postOpening(
  book: BookState,
  t: Ms,
  amounts: Readonly<Partial<Amounts>>,
  where: Where,
  mid: Rate | null,
): LedgerEntry {
  markTo(book, mid)
  const postings: Posting[] = []
  for (const asset of ASSETS) {
    const amount = amounts[asset] ?? 0n
    if (amount === 0n) continue
    moveUnits(book, postings, 'opening', where, asset, amount)
    accrueValue(book.pnl, 'opening', asset, amount)
  }
  return numberEntry(book, t, 'opening', `opening of the ${where}`, postings, null)
}
