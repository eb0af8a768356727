import type { Ms } from '../base/time.ts'
import { isStable, TO_18_DECIMALS } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { LedgerEntry, Posting } from './entry.ts'
import type { Fill } from './fill.ts'
import { accrueTraded, accrueValue } from './accrue-mark.ts'
import { trackDrawdown } from './track-drawdown.ts'
import { type BookState, numberEntry, type Where } from './book.ts'
import { markTo } from './mark-to.ts'

export type FillLegs = Pick<Fill, 'inAsset' | 'amountIn' | 'outAsset' | 'amountOut'>

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
  where: Where = 'pool',
): void {
  markTo(book, fairValue ?? (book.pnl.mark === null ? venueMid : null))
  moveFill(book, fill, fee, venueMid, where)
  trackDrawdown(book.pnl)
}

/** The legs of a fill and what they are worth, at the mark that is. */
export function moveFill(
  book: BookState,
  fill: FillLegs,
  fee: bigint,
  venueMid: Rate | null,
  where: Where,
): void {
  const { inAsset, amountIn, outAsset, amountOut } = fill
  const { trading, fees } = book.accounts
  const held = book.accounts[where]
  const debit = amountOut + fee
  held[inAsset] += amountIn
  trading[inAsset] -= amountIn
  held[outAsset] -= debit
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
}

/** What a fill of these legs posts; `fee` is what left us beyond `amountOut`. */
export function fillPostings(fill: FillLegs, fee: bigint, where: Where): Posting[] {
  const { inAsset, amountIn, outAsset, amountOut } = fill
  const postings: Posting[] = [
    { account: where, asset: inAsset, amount: amountIn },
    { account: 'trading', asset: inAsset, amount: -amountIn },
    { account: where, asset: outAsset, amount: -(amountOut + fee) },
    { account: 'trading', asset: outAsset, amount: amountOut },
  ]
  if (fee !== 0n) postings.push({ account: 'fees', asset: outAsset, amount: fee })
  return postings
}

/** A fill against what is held there; `fee` is what left it beyond `amountOut`. */
export function postFill(
  book: BookState,
  t: Ms,
  fill: Fill,
  fee: bigint,
  venueMid: Rate | null,
  fairValue: Rate | null,
  where: Where = 'pool',
): LedgerEntry {
  applyFill(book, fill, fee, venueMid, fairValue, where)
  return numberEntry(book, t, 'fill', fill.side, fillPostings(fill, fee, where), fill.id)
}
