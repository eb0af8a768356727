import type { Asset } from '../money/asset.ts'
import type { Side } from '../money/side.ts'
import type { BalancesRow } from '../tape/model/row.ts'
import { dollarsOf } from './dollars-of.ts'

const PAID_WITH: Readonly<Record<Side, readonly Asset[]>> = {
  ask: ['NTZS'],
  bid: ['USDC', 'USDT', 'USDT.bnb'],
}

/**
 * Whether a position could pay a taker of `usd` dollars on a side, in one token; with `usd` 0 whether it
 * has anything to pay with. True where the balances are not known. Tokens in the wallet are not at work.
 */
export function canPay(held: BalancesRow | null, side: Side, usd: number, tzsPerUsd: number | null): boolean {
  if (held === null) return true
  if (held.source === 'wallet') return false
  const known = PAID_WITH[side].flatMap((asset) => {
    const units = held.amounts[asset]
    return units === undefined ? [] : [{ asset, units }]
  })
  if (known.length === 0) return true
  return known.some(
    ({ asset, units }) => units > 0n && (tzsPerUsd === null || dollarsOf(units, asset, tzsPerUsd) >= usd),
  )
}
