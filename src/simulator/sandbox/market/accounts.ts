import { zeroAmounts, type TokenAmounts, type Asset } from '../../../base/money/asset.ts'
import type { VenueState } from '../state.ts'
import { transfer } from './book.ts'

/**
 * Where value is that no provider holds: wallets of the partner API by their address in lower case, and
 * accounts off the chain by a name (`outside:bank`, `rail:payouts`). Those outside may be below zero:
 * a payer brings money that was not counted before.
 */
export function accountOf(venue: VenueState, name: string): TokenAmounts {
  const kept = venue.accounts.get(name)
  if (kept !== undefined) return kept
  const opened = zeroAmounts()
  venue.accounts.set(name, opened)
  return opened
}

/** The account of an address that the venue knows; what went to any other address is outside. */
export function holderAt(venue: VenueState, address: string): TokenAmounts {
  return venue.accounts.get(address.toLowerCase()) ?? venue.external
}

/**
 * Tokens arrive at an address: in the provider's wallet, where they are a deposit, in an account that the
 * venue knows, or outside. The caller has taken them from wherever they were. Returns the transaction of a
 * deposit of the provider's; null where only the books know of it.
 */
export function arriveAt(venue: VenueState, address: string, asset: Asset, amount: bigint): string | null {
  const { ours, options } = venue
  if (address.toLowerCase() !== options.walletAddress.toLowerCase()) {
    holderAt(venue, address)[asset] += amount
    return null
  }
  const arrived = transfer(venue, 'deposit', asset, amount)
  ours.wallet[asset] += amount
  ours.transfers.push(arrived)
  return arrived.txHash
}
