import type { Asset } from '../money/asset.ts'
import { transactionHash } from './execute-swap.ts'
import type { VenueTransfer } from './provider.ts'
import type { VenueState } from './venue-state.ts'

/** A movement of ours, now, with a hash of its own; the caller moves the units and keeps the record. */
export function transfer(
  venue: VenueState,
  kind: VenueTransfer['kind'],
  asset: Asset,
  amount: bigint,
  to?: string,
): VenueTransfer {
  const txHash = transactionHash(venue.random.ids)
  return { at: venue.now, kind, asset, amount, txHash, ...(to === undefined ? {} : { to }) }
}
