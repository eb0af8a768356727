import type { Ms } from '../../../base/time.ts'
import {
  TOKEN_UNIT,
  toBook,
  zeroAmounts,
  type Amounts,
  type Asset,
  type BookAmount,
  type TokenAmounts,
} from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import type { FillSource, MeasuredPrice } from './measured-price.ts'

/** One execution in the venue's own books. All amounts in base units. */
export type VenueFill = {
  readonly id: string
  readonly at: Ms
  readonly taker: string
  readonly side: Side
  readonly from: Asset
  readonly to: Asset
  readonly amountIn: bigint
  /** Net amount for the taker: the row's amountOut. */
  readonly amountOut: bigint
  /** Protocol fee in the out-asset. */
  readonly fee: bigint
  /** Debit of the provider's position: amountOut + fee, or amountOut if the pool bears the fee. */
  readonly debit: bigint
  /** Credit of the provider's position: amountIn, less the part that a fault keeps. */
  readonly credit: bigint
  /** Payout at mid minus payout at the spread: the provider's income, in the out-asset. */
  readonly earned: bigint
  readonly mid: Rate
  readonly spreadBps: number
  readonly inTxHash: string
  readonly outTxHash: string
  /** Measured venue only: the exact amounts in its books; the amounts above are truncated to whole units of the token. */
  readonly measured?: MeasuredPrice & { readonly debit: BookAmount; readonly source: FillSource }
}

/** A fill of a signed order, which moves tokens between the maker's wallet and the solver's. Base units. */
export type VenueOrderFill = {
  /** `transaction:log index`. */
  readonly key: string
  /** The block's time. */
  readonly at: Ms
  readonly orderHash: string
  readonly makerAsset: Asset
  readonly takerAsset: Asset
  /** Out of the wallet. */
  readonly makerAmount: bigint
  /** Into the wallet. */
  readonly takerAmount: bigint
  readonly txHash: string
}

/** A movement into, out of or within the provider's accounts. Positive amounts; `kind` gives the direction. */
export type VenueTransfer = {
  readonly at: Ms
  readonly kind:
    | 'sweep-to-pool'
    | 'sweep-to-wallet'
    | 'deposit'
    | 'withdrawal'
    | 'stolen-from-pool'
    | 'stolen-from-wallet'
  readonly asset: Asset
  readonly amount: bigint
  readonly txHash: string
  /** Where a withdrawal went. */
  readonly to?: string
}

/** A liquidity provider: ours or a competitor. One router serves them all. */
export type Provider = {
  readonly name: string
  readonly ours: boolean
  isActive: boolean
  /** A deactivation is in progress: the router no longer uses it. */
  isLeaving: boolean
  isSuspended: boolean
  bidBps: number
  askBps: number
  quoteBid: boolean
  quoteAsk: boolean
  /** Null = all pairs. */
  quotePairs: readonly string[] | null
  readonly opening: TokenAmounts
  readonly pool: TokenAmounts
  /** The pool's holdings below one whole unit of the token; zero in `contract`. */
  readonly poolRest: Amounts
  /** The earned spread of the measured venue's fills since the activation; zero in `contract`. */
  readonly earned: Amounts
  readonly wallet: TokenAmounts
  /** Protocol fees its position has paid. */
  readonly feesPaid: TokenAmounts
  /** Oldest first; all of ours are kept. For a competitor only the count is kept. */
  readonly fills: VenueFill[]
  readonly transfers: VenueTransfer[]
  /** As the chain reports them: a reorganisation removes them. */
  readonly orderFills: VenueOrderFill[]
  fillCount: number
  /** The number of its latest fill in the venue's count; 0 = no fill. Determines the rotation. */
  lastFilled: number
  /** Small takers do not deplete it, and a day after an informed one it is full again. */
  readonly refills: boolean
  isRefilling: boolean
}

/** A provider with its capital in the pool (active) or in its wallet (inactive). */
export function createProvider(
  name: string,
  ours: boolean,
  isActive: boolean,
  opening: TokenAmounts,
  refills = false,
): Provider {
  return {
    name,
    ours,
    isActive,
    isLeaving: false,
    isSuspended: false,
    bidBps: 500,
    askBps: 500,
    quoteBid: true,
    quoteAsk: true,
    quotePairs: null,
    opening: { ...opening },
    pool: isActive ? { ...opening } : zeroAmounts(),
    poolRest: zeroAmounts(),
    earned: zeroAmounts(),
    wallet: isActive ? zeroAmounts() : { ...opening },
    feesPaid: zeroAmounts(),
    fills: [],
    fillCount: 0,
    transfers: [],
    orderFills: [],
    lastFilled: 0,
    refills,
    isRefilling: false,
  }
}

export function spreadOn(provider: Provider, side: Side): number {
  return side === 'bid' ? provider.bidBps : provider.askBps
}

/** Returns a provider's position in the venue's book. */
export function poolInBook(
  { pool, poolRest }: Pick<Provider, 'pool' | 'poolRest'>,
  asset: Asset,
): BookAmount {
  return toBook(pool[asset], asset) + poolRest[asset]
}

/** Adds to or subtracts from a position in the venue's book. */
export function addToPool(provider: Provider, asset: Asset, change: BookAmount): void {
  const total = poolInBook(provider, asset) + change
  const unit = TOKEN_UNIT[asset]
  const rest = ((total % unit) + unit) % unit
  provider.pool[asset] = (total - rest) / unit
  provider.poolRest[asset] = rest
}

/** Null turns a side off. */
export function setCompetitorQuote(provider: Provider, bidBps: number | null, askBps: number | null): void {
  provider.quoteBid = bidBps !== null
  provider.quoteAsk = askBps !== null
  if (bidBps !== null) provider.bidBps = bidBps
  if (askBps !== null) provider.askBps = askBps
}
