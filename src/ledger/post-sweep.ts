import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'
import type { LedgerEntry, Posting } from './entry.ts'
import { type Where, type BookState, moveUnits, numberEntry } from './book.ts'

/**
 * Activation or deactivation moved all that `from` held of these assets to the other place. Tokens move,
 * debts do not: a negative balance stays where it is.
 */
export function postSweep(
  book: BookState,
  t: Ms,
  from: Where,
  assets: readonly Asset[],
  reason: string,
): LedgerEntry {
  const to = from === 'pool' ? 'wallet' : 'pool'
  const postings: Posting[] = []
  for (const asset of assets) {
    const amount = book.accounts[from][asset]
    if (amount > 0n) moveUnits(book, postings, from, to, asset, amount)
  }
  return numberEntry(book, t, 'sweep', reason, postings, null)
}
