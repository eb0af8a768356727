import type { Ms } from '../base/time.ts'
import type { Rate } from '../money/rate.ts'
import { type BookState, numberEntry, type Where } from './book.ts'
import type { LedgerEntry, Posting } from './entry.ts'
import type { Fill } from './fill.ts'
import { applyFill } from './post-fill.ts'

/**
 * A fill that was booked did not happen: a reorganisation of the chain took its block away. Its entry stays
 * and this one names it and takes it back, at the mid it was booked with. What the units earned or lost
 * in between stays in the inventory component: they were ours to see.
 */
export function postFillUndone(
  book: BookState,
  t: Ms,
  fill: Fill,
  venueMid: Rate | null,
  fairValue: Rate | null,
  where: Where,
): LedgerEntry {
  const { inAsset, amountIn, outAsset, amountOut } = fill
  applyFill(book, { ...fill, amountIn: -amountIn, amountOut: -amountOut }, 0n, venueMid, fairValue, where)
  const postings: Posting[] = [
    { account: where, asset: inAsset, amount: -amountIn },
    { account: 'trading', asset: inAsset, amount: amountIn },
    { account: where, asset: outAsset, amount: amountOut },
    { account: 'trading', asset: outAsset, amount: -amountOut },
  ]
  return numberEntry(book, t, 'fill-undone', `${fill.id} is not on the chain any more`, postings, fill.id)
}
