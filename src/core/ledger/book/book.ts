import type { Ms } from '../../../base/time.ts'
import { type Amounts, type Asset, type BookAmount, zeroAmounts } from '../../../base/money/asset.ts'
import { accrueMark, createPnlState, type PnlState, restate, settleMarks, trackDrawdown } from './accrual.ts'
import type { Rate } from '../../../base/money/rate.ts'

/**
 * Where units can be. `pool` and `wallet` are ours; the others are the counter-accounts that make every
 * entry sum to zero per asset: what we opened with, traded against, paid as protocol fee, moved across
 * our own border, and could not explain.
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

/** One booked fact. Entries are numbered from 1 without holes and never change. */
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
  /** Only the mark is true at any time: everything else is read with `settledPnl`, and this type shows no more. */
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
 * The running sums with all marks accrued up to now. Anyone who reads them and anyone who is about to move units comes here
 * first, because what a mark brought is its step times what was held. Costs nothing where the mark has not moved.
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

/** The fair value is now this; null = no news. What is held is not looked at: marks are settled when someone reads. */
export function markToMarket(book: BookState, fairValue: Rate | null): void {
  if (fairValue !== null) accrueMark(book.pnl as PnlState, fairValue)
}

/**
 * What is held is measured by another fair value from now on: the step to it was neither won nor lost, so that it goes to
 * the value of the opening and not to the inventory term. Both identities hold as before.
 */
export function restateMark(book: BookState, fairValue: Rate): void {
  const { pool, wallet } = book.accounts
  restate(settledPnl(book), fairValue, pool, wallet)
}

/** All that is ours, a fresh object. */
export function position(book: BookState): Amounts {
  const { pool, wallet } = book.accounts
  return {
    NTZS: pool.NTZS + wallet.NTZS,
    USDC: pool.USDC + wallet.USDC,
    USDT: pool.USDT + wallet.USDT,
    'USDT.bnb': pool['USDT.bnb'] + wallet['USDT.bnb'],
  }
}

/** What the pool holds for us; a view of the book, not a copy. */
export function poolAmounts(book: BookState): Readonly<Amounts> {
  return book.accounts.pool
}

/** What our wallet at the venue holds; a view of the book, not a copy. */
export function walletAmounts(book: BookState): Readonly<Amounts> {
  return book.accounts.wallet
}
