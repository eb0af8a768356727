import type { TokenAmounts, Asset } from '../../../base/money/asset.ts'
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
