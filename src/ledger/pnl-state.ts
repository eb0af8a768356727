import { zeroAmounts, type Amounts, type StableAsset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { Tzs36, Usd54 } from './value-tzs.ts'

/** What trading against and holding one kind of dollars brought. */
export type StableComponents = {
  /** Sum of dN + dU S: what the quoted spread, after the protocol fee, left against the venue's mid. */
  postedSpread: Tzs36
  /** Sum of dU (M - S): what it cost or brought that the venue's mid was not the fair value. */
  staleMid: Tzs36
  /** Sum of U (M_j - M_{j-1}): what holding these dollars brought. */
  inventory: Tzs36
  /** Sum of dU + dN / M: the edge of the same fills, counted in dollars. */
  edgeUsd: Usd54
}

/** Why value changed without a fill and without the mark moving. */
export type ValueClass = 'opening' | 'flows' | 'costs' | 'unexplained'

/**
 * Running sums behind both identities. Every post adds its exact share, so nothing is ever recomputed
 * from history. Signed as contributions: a cost that was paid is negative, the total is the plain sum.
 */
export type PnlState = {
  /** The fair value of the last mark; null = nothing can be valued yet. */
  mark: Rate | null
  /** The ledger's inverse of the mark (see `inverseRate`); 0 while there is no mark. */
  inverse: bigint
  tzs: Record<ValueClass, Tzs36>
  usd: Record<ValueClass, Usd54>
  byStable: Record<StableAsset, StableComponents>
  /** Sum of N (1/M_j - 1/M_{j-1}): shillings held lose dollars when the shilling weakens. */
  inventoryUsd: Usd54
  /** PnL since the opening net of flows, its highest value so far (0 at the opening), its deepest fall. */
  totalTzs: Tzs36
  peakTzs: Tzs36
  maxDrawdownTzs: Tzs36
  /** What was booked before the first mark; valued by it. Null once there was one. */
  unvalued: Unvalued | null
}

export type Unvalued = {
  classes: Record<ValueClass, Amounts>
  /** Fills by their dollars: dollars at 18 decimals and NTZS base units, signed. */
  traded: Record<StableAsset, { dollars: bigint; shillings: bigint }>
}

export function createPnlState(): PnlState {
  const zeroes = () => ({ opening: 0n, flows: 0n, costs: 0n, unexplained: 0n })
  const components = () => ({ postedSpread: 0n, staleMid: 0n, inventory: 0n, edgeUsd: 0n })
  const traded = () => ({ dollars: 0n, shillings: 0n })
  return {
    mark: null,
    inverse: 0n,
    tzs: zeroes(),
    usd: zeroes(),
    byStable: { USDC: components(), USDT: components(), 'USDT.bnb': components() },
    inventoryUsd: 0n,
    totalTzs: 0n,
    peakTzs: 0n,
    maxDrawdownTzs: 0n,
    unvalued: {
      classes: {
        opening: zeroAmounts(),
        flows: zeroAmounts(),
        costs: zeroAmounts(),
        unexplained: zeroAmounts(),
      },
      traded: { USDC: traded(), USDT: traded(), 'USDT.bnb': traded() },
    },
  }
}
