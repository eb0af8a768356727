import type { Rate } from '../money/rate.ts'
import { accrueMark } from './accrue-mark.ts'
import type { BookState } from './book.ts'

/** The fair value is now this; null = no news. */
export function markTo(book: BookState, fairValue: Rate | null): void {
  if (fairValue === null || fairValue === book.pnl.mark) return
  accrueMark(book.pnl, book.accounts.pool, book.accounts.wallet, fairValue)
}
