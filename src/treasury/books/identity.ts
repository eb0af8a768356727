import { bookAmounts, type TokenAmounts } from '../../base/money/asset.ts'
import type { Rate } from '../../base/money/rate.ts'
import { type Tzs36, type Usd54, valueTzs, valueUsd } from '../../core/ledger/book/value.ts'
import { markBooks, VALUE_CLASSES, type ValueClass } from './accrual.ts'
import { type Books, ownHoldings } from './books.ts'

/** The terms of the desk's value; the residual is zero unless the books are wrong. */
export type IdentityTerms<Value> = Readonly<Record<ValueClass | 'inventory' | 'value' | 'residual', Value>>

/** The value of the whole desk in both currencies at one mid. */
type WholeIdentity = {
  readonly mid: Rate
  readonly held: Readonly<TokenAmounts>
  readonly tzs: IdentityTerms<Tzs36>
  readonly usd: IdentityTerms<Usd54>
}

/**
 * Returns value = opening + flows + trading + costs + unreconciled + inventory, exactly, in shillings with 36 and
 * dollars with 54 decimals; null = there is no mid.
 */
export function wholeIdentity(books: Books, mid: Rate | null): WholeIdentity | null {
  const held = ownHoldings(books)
  const { mark, tzs, usd, unvalued } = books.pnl
  const pnl = { mark, tzs: { ...tzs }, usd: { ...usd }, unvalued }
  markBooks(pnl, held, mid)
  const inTzs = valueTzs(bookAmounts(held), pnl.mark)
  const inUsd = valueUsd(bookAmounts(held), pnl.mark)
  if (pnl.mark === null || inTzs === null || inUsd === null) return null
  return { mid: pnl.mark, held, tzs: termsOf(pnl.tzs, inTzs), usd: termsOf(pnl.usd, inUsd) }
}

function termsOf(
  sums: Readonly<Record<ValueClass | 'inventory', bigint>>,
  value: bigint,
): IdentityTerms<bigint> {
  const total = VALUE_CLASSES.reduce((sum, valueClass) => sum + sums[valueClass], sums.inventory)
  return { ...sums, value, residual: value - total }
}
