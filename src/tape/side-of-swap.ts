import { isStable, type Asset, type StableAsset } from '../money/asset.ts'
import type { Side } from '../money/side.ts'

/** Which side of our quote a taker's swap meets, and its dollars; null where it is not dollars against shillings. */
export function sideOfSwap(
  from: Asset,
  to: Asset,
): { readonly side: Side; readonly stable: StableAsset } | null {
  if (isStable(from) && !isStable(to)) return { side: 'ask', stable: from }
  if (!isStable(from) && isStable(to)) return { side: 'bid', stable: to }
  return null
}
