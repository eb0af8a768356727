import { type TokenAmounts, type Asset, zeroAmounts } from '../../../base/money/asset.ts'
import type { VenueState } from '../state.ts'
import { transactionHash } from './execute-swap.ts'
import type { Provider, VenueFill, VenueOrderFill, VenueTransfer } from './provider.ts'

/** The venue's own truth about one provider: copies, safe to keep. */
export type ProviderBook = Readonly<
  Pick<Provider, 'name' | 'isActive' | 'opening' | 'pool' | 'poolRest' | 'wallet' | 'feesPaid' | 'fillCount'>
> & {
  /** All of ours, oldest first: no window, no fault. Empty for a competitor. */
  readonly fills: readonly VenueFill[]
  readonly transfers: readonly VenueTransfer[]
  /** Fills of our signed orders, oldest first. */
  readonly orderFills: readonly VenueOrderFill[]
}

export type VenueBook = Pick<VenueState, 'fees' | 'takers' | 'reserve' | 'external' | 'rests'> & {
  readonly ours: ProviderBook
  readonly competitors: readonly ProviderBook[]
  /** Wallets and other accounts of the partner API. */
  readonly accounts: ReadonlyMap<string, TokenAmounts>
}

export function readBook(venue: VenueState): VenueBook {
  return {
    ours: providerBook(venue.ours),
    competitors: venue.providers.filter(({ ours }) => !ours).map(providerBook),
    fees: { ...venue.fees },
    takers: { ...venue.takers },
    reserve: { ...venue.reserve },
    external: { ...venue.external },
    rests: { ...venue.rests },
    accounts: new Map([...venue.accounts].map(([name, amounts]) => [name, { ...amounts }])),
  }
}

function providerBook(provider: Provider): ProviderBook {
  return {
    name: provider.name,
    isActive: provider.isActive,
    opening: { ...provider.opening },
    pool: { ...provider.pool },
    poolRest: { ...provider.poolRest },
    wallet: { ...provider.wallet },
    feesPaid: { ...provider.feesPaid },
    fillCount: provider.fillCount,
    fills: [...provider.fills],
    transfers: [...provider.transfers],
    orderFills: [...provider.orderFills],
  }
}

/** Records a movement of ours at the current time with a new hash; the caller moves the units and keeps the record. */
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
