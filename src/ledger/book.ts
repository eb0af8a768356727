import type { Ms } from '../base/time.ts'
import { zeroAmounts, type Amounts, type Asset } from '../money/asset.ts'
import type { Account, EntryKind, LedgerEntry, Posting } from './entry.ts'
import { createPnlState, type PnlState } from './pnl-state.ts'
import { trackDrawdown } from './track-drawdown.ts'

/** Where our units can be. */
export type Where = 'pool' | 'wallet'

/**
 * The double-entry book of one position: balances and running sums, not the entries. Each posting
 * function updates the state in place and returns the numbered entry, which sums to zero per asset.
 * Plain data; balances may go negative when the venue says so.
 *
 * Every function takes the fair value at its moment: the book is marked to it first. Null = no news; the
 * last mark stays, and what is posted before the first mark is valued by the first mark.
 */
export type BookState = {
  /** Number of the last entry; 0 = none yet. */
  entries: number
  accounts: Record<Account, Amounts>
  pnl: PnlState
}

export function createBook(): BookState {
  return {
    entries: 0,
    accounts: {
      pool: zeroAmounts(),
      wallet: zeroAmounts(),
      opening: zeroAmounts(),
      trading: zeroAmounts(),
      fees: zeroAmounts(),
      external: zeroAmounts(),
      adjustments: zeroAmounts(),
    },
    pnl: createPnlState(),
  }
}

export function moveUnits(
  book: BookState,
  postings: Posting[],
  from: Account,
  to: Account,
  asset: Asset,
  amount: bigint,
): void {
  book.accounts[from][asset] -= amount
  book.accounts[to][asset] += amount
  postings.push({ account: from, asset, amount: -amount }, { account: to, asset, amount })
}

export function numberEntry(
  book: BookState,
  t: Ms,
  kind: EntryKind,
  reason: string,
  postings: readonly Posting[],
  fillId: string | null,
): LedgerEntry {
  trackDrawdown(book.pnl)
  book.entries += 1
  return { number: book.entries, t, kind, reason, fillId, postings }
}
