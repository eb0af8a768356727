import type { Ms } from '../../../base/time.ts'
import { type Amounts, type Asset, type BookAmount, zeroAmounts } from '../../../base/money/asset.ts'
import {
  accrueMark,
  accrueMarks,
  createPnlState,
  type PnlState,
  restate,
  settleMarks,
  trackDrawdown,
} from './accrual.ts'
import type { MidPlaces } from '../../../base/money/mid-places.ts'
import type { Rate } from '../../../base/money/rate.ts'

/**
 * The accounts. `pool` and `wallet` are ours; the others are counter-accounts, so that every entry sums to zero per asset: the
 * opening, trades, protocol fees, deposits and withdrawals, and adjustments.
 */
type Account = 'pool' | 'wallet' | 'opening' | 'trading' | 'fees' | 'external' | 'adjustments'

export type EntryKind =
  | 'opening'
  | 'fill'
  | 'fill-undone'
  | 'fee-correction'
  | 'chain-correction'
  | 'venue-rounding'
  | 'deposit'
  | 'withdrawal'
  | 'sweep'
  | 'adjustment'

export type Posting = { readonly account: Account; readonly asset: Asset; readonly amount: BookAmount }

/** One ledger entry. Entries are numbered from 1 without gaps and never change. */
export type LedgerEntry = {
  readonly number: number
  readonly t: Ms
  readonly kind: EntryKind
  readonly reason: string
  readonly fillId: string | null
  readonly postings: readonly Posting[]
}

/** Where our units can be. */
export type Location = 'pool' | 'wallet'

/**
 * The double-entry book of one position: balances and running sums, not the entries. Each posting function updates the state in
 * place and returns the numbered entry, which sums to zero per asset. Plain data; balances may go negative if the venue reports
 * it.
 *
 * Every function first marks the book to the given fair value. Null = unchanged: the last mark remains in force, and the first
 * mark also values postings made before it.
 */
export type BookState = {
  /** Number of the last entry; 0 = no entry yet. */
  entries: number
  accounts: Record<Account, Amounts>
  /** The type exposes only the mark, because the other fields may be unsettled; `settledPnl` returns them. */
  pnl: Pick<PnlState, 'mark'>
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

/**
 * Returns the running sums with all marks settled. Call it before reading the sums and before moving units, because the effect of a
 * mark is its step times the holdings. Free if the mark has not moved.
 */
export function settledPnl(book: BookState): PnlState {
  const pnl = book.pnl as PnlState
  if (pnl.stretch !== undefined) settleMarks(pnl, book.accounts.pool, book.accounts.wallet)
  return pnl
}

export function moveUnits(
  book: BookState,
  postings: Posting[],
  from: Account,
  to: Account,
  asset: Asset,
  amount: bigint,
): void {
  settledPnl(book)
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
  trackDrawdown(settledPnl(book))
  book.entries += 1
  return { number: book.entries, t, kind, reason, fillId, postings }
}

/** Sets the fair value; null = unchanged. The marks are settled when the sums are read. */
export function markToMarket(book: BookState, fairValue: Rate | null): void {
  if (fairValue !== null) accrueMark(book.pnl as PnlState, fairValue)
}

/** Marks the book to the mids at these places of the path in turn, from `from` to before `to`. */
export function markAlong(
  book: BookState,
  places: MidPlaces,
  path: Int32Array,
  from: number,
  to: number,
): void {
  if (from < to) accrueMarks(book.pnl as PnlState, places, path, from, to)
}

/**
 * Switches the fair value to another source. The step is neither gain nor loss, so it is added to the opening value instead of the
 * inventory term. Both identities still hold.
 */
export function restateMark(book: BookState, fairValue: Rate): void {
  const { pool, wallet } = book.accounts
  restate(settledPnl(book), fairValue, pool, wallet)
}

/** Returns our holdings in pool and wallet, as a new object. */
export function position(book: BookState): Amounts {
  const { pool, wallet } = book.accounts
  return {
    NTZS: pool.NTZS + wallet.NTZS,
    USDC: pool.USDC + wallet.USDC,
    USDT: pool.USDT + wallet.USDT,
    'USDT.bnb': pool['USDT.bnb'] + wallet['USDT.bnb'],
  }
}

/** Returns our holdings in the pool; a view of the book, not a copy. */
export function poolAmounts(book: BookState): Readonly<Amounts> {
  return book.accounts.pool
}

/** Returns our holdings in the wallet; a view of the book, not a copy. */
export function walletAmounts(book: BookState): Readonly<Amounts> {
  return book.accounts.wallet
}
