import type { Ms } from '../base/time.ts'
import { ASSETS, isStable, TO_18_DECIMALS, zeroAmounts, type Amounts, type Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { Account, EntryKind, LedgerEntry, Posting } from './entry.ts'
import type { Fill } from './fill.ts'
import {
  accrueMark,
  accrueTraded,
  accrueValue,
  createPnlState,
  trackDrawdown,
  type PnlState,
} from './pnl-state.ts'

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
    move(book, postings, 'opening', where, asset, amount)
    accrueValue(book.pnl, 'opening', asset, amount)
  }
  return entry(book, t, 'opening', `opening of the ${where}`, postings, null)
}

/**
 * The books' side of a fill without its entry, for those who need no entry (backtests): credit
 * `amountIn`, debit `amountOut + fee`. `venueMid` is the mid the venue priced from, `fairValue` ours.
 */
export function applyFill(
  book: BookState,
  fill: Fill,
  fee: bigint,
  venueMid: Rate | null,
  fairValue: Rate | null,
): void {
  markTo(book, fairValue ?? (book.pnl.mark === null ? venueMid : null))
  const { inAsset, amountIn, outAsset, amountOut } = fill
  const { pool, trading, fees } = book.accounts
  const debit = amountOut + fee
  pool[inAsset] += amountIn
  trading[inAsset] -= amountIn
  pool[outAsset] -= debit
  trading[outAsset] += amountOut
  fees[outAsset] += fee
  if (isStable(inAsset)) {
    const dollars = amountIn * TO_18_DECIMALS[inAsset]
    accrueTraded(book.pnl, inAsset, dollars, isStable(outAsset) ? 0n : -debit, venueMid)
    if (isStable(outAsset)) accrueTraded(book.pnl, outAsset, -debit * TO_18_DECIMALS[outAsset], 0n, venueMid)
  } else if (isStable(outAsset)) {
    accrueTraded(book.pnl, outAsset, -debit * TO_18_DECIMALS[outAsset], amountIn, venueMid)
  } else {
    // Shillings for shillings is no trade of this venue; its value change still has to be counted somewhere.
    accrueValue(book.pnl, 'unexplained', 'NTZS', amountIn - debit)
  }
  trackDrawdown(book.pnl)
}

/** A fill against the pool; `fee` is what left the pool beyond `amountOut`. */
export function postFill(
  book: BookState,
  t: Ms,
  fill: Fill,
  fee: bigint,
  venueMid: Rate | null,
  fairValue: Rate | null,
): LedgerEntry {
  applyFill(book, fill, fee, venueMid, fairValue)
  const { inAsset, amountIn, outAsset, amountOut } = fill
  const postings: Posting[] = [
    { account: 'pool', asset: inAsset, amount: amountIn },
    { account: 'trading', asset: inAsset, amount: -amountIn },
    { account: 'pool', asset: outAsset, amount: -(amountOut + fee) },
    { account: 'trading', asset: outAsset, amount: amountOut },
  ]
  if (fee !== 0n) postings.push({ account: 'fees', asset: outAsset, amount: fee })
  return entry(book, t, 'fill', fill.side, postings, fill.id)
}

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
  move(book, postings, where, 'fees', asset, amount)
  accrueValue(book.pnl, 'costs', asset, -amount)
  return entry(book, t, 'fee-correction', reason, postings, null)
}

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
  move(book, postings, 'external', where, asset, signed)
  accrueValue(book.pnl, 'flows', asset, signed)
  return entry(book, t, kind, reason, postings, null)
}

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
    if (amount > 0n) move(book, postings, from, to, asset, amount)
  }
  return entry(book, t, 'sweep', reason, postings, null)
}

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
  move(book, postings, 'adjustments', where, asset, amount)
  accrueValue(book.pnl, 'unexplained', asset, amount)
  return entry(book, t, 'adjustment', reason, postings, null)
}

/** The fair value is now this; null = no news. */
export function markTo(book: BookState, fairValue: Rate | null): void {
  if (fairValue === null || fairValue === book.pnl.mark) return
  accrueMark(book.pnl, book.accounts.pool, book.accounts.wallet, fairValue)
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

function move(
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

function entry(
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
