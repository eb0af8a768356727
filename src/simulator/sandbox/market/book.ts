import { type TokenAmounts, type Asset, zeroAmounts } from '../../../base/money/asset.ts'
import type { VenueState } from '../state.ts'
import { transactionHash } from './execute-swap.ts'
import type { Provider, VenueFill, VenueOrderFill, VenueTransfer } from './provider.ts'

/** The venue's own record of one provider, as copies. */
export type ProviderBook = Readonly<
  Pick<Provider, 'name' | 'isActive' | 'opening' | 'pool' | 'poolRest' | 'wallet' | 'feesPaid' | 'fillCount'>
> & {
  /** All of our fills, oldest first, without window and faults. Empty for a competitor. */
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

/** Records a movement of ours at the current time with a new hash. The caller moves the units and stores the record. */
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
 * Returns the account of value that no provider holds: wallets of the partner API by their address in lower case, and
 * accounts off the chain by a name (`outside:bank`, `rail:payouts`). Outside accounts may be negative, because a
 * payer brings money that was not counted before.
 */
export function accountOf(venue: VenueState, name: string): TokenAmounts {
  const kept = venue.accounts.get(name)
  if (kept !== undefined) return kept
  const opened = zeroAmounts()
  venue.accounts.set(name, opened)
  return opened
}

/** Returns the account of an address known to the venue; all other addresses are outside. */
export function holderAt(venue: VenueState, address: string): TokenAmounts {
  return venue.accounts.get(address.toLowerCase()) ?? venue.external
}

/**
 * Credits tokens to an address: the provider's wallet, where they are a deposit, an account known to the venue, or
 * outside. The caller has debited them elsewhere. Returns the transaction of a deposit to the provider; null =
 * recorded only in the books.
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
