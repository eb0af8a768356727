import { isStable, type Asset, type StableAsset } from '../money/asset.ts'
import type { Side } from '../money/side.ts'

/** A swap the venue can price: exactly one end is the shilling. */
export type Pair = {
  readonly side: Side
  readonly from: Asset
  readonly to: Asset
  readonly stable: StableAsset
}

/** Null when no end is the shilling, or both are. */
export function pairOf(from: Asset, to: Asset): Pair | null {
  if (isStable(from) && to === 'NTZS') return { side: 'ask', from, to, stable: from }
  if (from === 'NTZS' && isStable(to)) return { side: 'bid', from, to, stable: to }
  return null
}
