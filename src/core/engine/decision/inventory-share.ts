import type { Amounts } from '../../../base/money/asset.ts'
import { dollars18 } from '../../ledger/book/value.ts'
import { rateToNumber, type Rate } from '../../../base/money/rate.ts'

/** The position in float64, for quote maths only. */
export type InventoryShare = {
  readonly tzsPerUsd: number
  readonly ntzs: number
  readonly usd: number
  readonly totalTzs: number
  /** Share of the value in dollars, 0..1; the target if the position is empty. */
  readonly usdShare: number
  /** -1..1: +1 = all dollars, -1 = all shillings, 0 = on target; each side is scaled by its distance from the target. */
  readonly imbalance: number
}

export function inventoryShare(held: Amounts, mid: Rate, target: number): InventoryShare {
  return inventoryImbalance(
    Number(dollars18(held)) / 1e18,
    Number(held.NTZS) / 1e18,
    rateToNumber(mid),
    target,
  )
}

/** Returns the inventory share of an amount of dollars and shillings. */
export function inventoryImbalance(
  usd: number,
  ntzs: number,
  tzsPerUsd: number,
  target: number,
): InventoryShare {
  const usdInTzs = usd * tzsPerUsd
  const totalTzs = ntzs + usdInTzs
  const usdShare = totalTzs > 0 ? usdInTzs / totalTzs : target
  const room = usdShare >= target ? 1 - target : target
  const imbalance = room > 0 ? Math.max(-1, Math.min(1, (usdShare - target) / room)) : 0
  return { tzsPerUsd, ntzs, usd, totalTzs, usdShare, imbalance }
}
