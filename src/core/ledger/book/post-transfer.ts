import type { Ms } from '../../../base/time.ts'
import { type Amounts, type Asset, ASSETS, type BookAmount } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import {
  type BookState,
  type LedgerEntry,
  type Location,
  markToMarket,
  moveUnits,
  numberEntry,
  type Posting,
  settledPnl,
} from './book.ts'
import { accrueValue } from './accrual.ts'

/** Posts the opening. A later opening of another asset adds to it; neither is PnL. */
export function postOpening(
  book: BookState,
  t: Ms,
  amounts: Readonly<Partial<Amounts>>,
  where: Location,
  mid: Rate | null,
): LedgerEntry {
  markToMarket(book, mid)
  const postings: Posting[] = []
  for (const asset of ASSETS) {
    const amount = amounts[asset] ?? 0n
    if (amount === 0n) continue
    moveUnits(book, postings, 'opening', where, asset, amount)
    accrueValue(settledPnl(book), 'opening', asset, amount)
  }
  return numberEntry(book, t, 'opening', `opening of the ${where}`, postings, null)
}

/** Posts a deposit or a withdrawal of ours; `amount` is positive for both. A flow, not PnL. */
export function postTransfer(
  book: BookState,
  t: Ms,
  kind: 'deposit' | 'withdrawal',
  asset: Asset,
  amount: bigint,
  where: Location,
  reason: string,
  fairValue: Rate | null,
): LedgerEntry {
  markToMarket(book, fairValue)
  const signed = kind === 'deposit' ? amount : -amount
  const postings: Posting[] = []
  moveUnits(book, postings, 'external', where, asset, signed)
  accrueValue(settledPnl(book), 'flows', asset, signed)
  return numberEntry(book, t, kind, reason, postings, null)
}

/** Posts a sweep: an activation or deactivation moved these assets from one place to the other. Negative balances do not move. */
export function postSweep(
  book: BookState,
  t: Ms,
  from: Location,
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

/** Books an unexplained difference with a reason; positive = units entered. */
export function postAdjustment(
  book: BookState,
  t: Ms,
  asset: Asset,
  amount: bigint,
  where: Location,
  reason: string,
  fairValue: Rate | null,
): LedgerEntry {
  markToMarket(book, fairValue)
  const postings: Posting[] = []
  moveUnits(book, postings, 'adjustments', where, asset, amount)
  accrueValue(settledPnl(book), 'unreconciled', asset, amount)
  return numberEntry(book, t, 'adjustment', reason, postings, null)
}

/**
 * Posts the remainder that the venue kept because it pays whole units of a token: a cost, valued at the mark. `amount` is
 * positive.
 */
export function postVenueRounding(
  book: BookState,
  t: Ms,
  asset: Asset,
  amount: BookAmount,
  where: Location,
  reason: string,
  mid: Rate | null,
): LedgerEntry {
  markToMarket(book, mid)
  const postings: Posting[] = []
  moveUnits(book, postings, where, 'adjustments', asset, amount)
  accrueValue(settledPnl(book), 'costs', asset, -amount)
  return numberEntry(book, t, 'venue-rounding', reason, postings, null)
}

/** Posts protocol fees that were higher (positive) or lower than booked: a cost, valued at the mark. */
export function postFeeCorrection(
  book: BookState,
  t: Ms,
  asset: Asset,
  amount: bigint,
  reason: string,
  mid: Rate | null,
  where: Location = 'pool',
): LedgerEntry {
  markToMarket(book, mid)
  const postings: Posting[] = []
  moveUnits(book, postings, where, 'fees', asset, amount)
  accrueValue(settledPnl(book), 'costs', asset, -amount)
  return numberEntry(book, t, 'fee-correction', reason, postings, null)
}
