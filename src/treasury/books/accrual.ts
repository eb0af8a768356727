import { bookAmounts, TOKEN_UNIT, type TokenAmounts, zeroAmounts } from '../../base/money/asset.ts'
import { type Rate, RATE_ONE } from '../../base/money/rate.ts'
import {
  inverseRate,
  type Tzs36,
  USD18_TO_USD54,
  type Usd54,
  valueTzs,
  valueUsd,
} from '../../core/ledger/book/value.ts'
import type { TreasuryAsset } from '../model/place.ts'

/** Why the desk's value changed at a constant mark; `costs` are rail costs, including conversions. */
export const VALUE_CLASSES = ['opening', 'flows', 'trading', 'costs', 'unreconciled'] as const
export type ValueClass = (typeof VALUE_CLASSES)[number]

/**
 * Running sums of the changes of the desk's value in both currencies, signed as contributions. `inventory` is the gain
 * of holdings from moves of the mark. History is never recomputed.
 */
export type BooksPnl = {
  /** The last mark; null = nothing can be valued yet. */
  mark: Rate | null
  tzs: Record<ValueClass | 'inventory', Tzs36>
  usd: Record<ValueClass | 'inventory', Usd54>
  /** Amounts booked before the first mark, which will value them. */
  unvalued: Record<ValueClass, TokenAmounts> | null
}

export function createBooksPnl(): BooksPnl {
  return { mark: null, tzs: zeroSums(), usd: zeroSums(), unvalued: perClass(zeroAmounts) }
}

/** Adds base units that reached (positive) or left the desk to their value class, at the mark. */
export function accrue(pnl: BooksPnl, valueClass: ValueClass, asset: TreasuryAsset, amount: bigint): void {
  if (pnl.mark === null) {
    if (pnl.unvalued !== null) pnl.unvalued[valueClass][asset] += amount
    return
  }
  const worth = worthOf(pnl.mark, asset, amount)
  pnl.tzs[valueClass] += worth.tzs
  pnl.usd[valueClass] += worth.usd
}

/** Revalues `held`, the holdings of the desk, at a new mark. */
export function markBooks(pnl: BooksPnl, held: Readonly<TokenAmounts>, mark: Rate | null): void {
  if (mark === null || mark === pnl.mark) return
  const before = pnl.mark
  pnl.mark = mark
  if (before === null) {
    const { unvalued } = pnl
    pnl.unvalued = null
    if (unvalued !== null)
      for (const valueClass of VALUE_CLASSES)
        for (const asset of ['NTZS', 'USDC', 'USDT'] as const)
          accrue(pnl, valueClass, asset, unvalued[valueClass][asset])
    return
  }
  pnl.tzs.inventory += (valueTzs(bookAmounts(held), mark) ?? 0n) - (valueTzs(bookAmounts(held), before) ?? 0n)
  pnl.usd.inventory += (valueUsd(bookAmounts(held), mark) ?? 0n) - (valueUsd(bookAmounts(held), before) ?? 0n)
}

function worthOf(
  mark: Rate,
  asset: TreasuryAsset,
  amount: bigint,
): { readonly tzs: Tzs36; readonly usd: Usd54 } {
  if (asset === 'NTZS') return { tzs: amount * RATE_ONE, usd: amount * inverseRate(mark) }
  const dollars = amount * TOKEN_UNIT[asset]
  return { tzs: dollars * mark, usd: dollars * USD18_TO_USD54 }
}

function zeroSums(): Record<ValueClass | 'inventory', bigint> {
  return { ...perClass(() => 0n), inventory: 0n }
}

function perClass<T>(make: () => T): Record<ValueClass, T> {
  return {
    opening: make(),
    flows: make(),
    trading: make(),
    costs: make(),
    unreconciled: make(),
  }
}
