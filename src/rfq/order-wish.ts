import type { StableAsset } from '../money/asset.ts'
import type { Side } from '../money/side.ts'

/**
 * One level of a ladder, as a strategy wants it standing. Float64: it becomes money through `buildOrder`,
 * rounded in our favour.
 */
export type OrderWish = {
  /** bid: we buy shillings and give dollars. ask: we sell shillings. */
  readonly side: Side
  readonly stable: StableAsset
  /** Size in dollars. */
  readonly usd: number
  /** The price of the whole order, TZS per USD. */
  readonly tzsPerUsd: number
}
