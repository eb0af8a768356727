import type { Ms } from '../../base/time.ts'
import type { Asset } from '../../base/money/asset.ts'
import type { Hex } from './rfq-order.ts'

/**
 * The core's settings of self-custody. Plain data without secrets, journalled with the rest of the configuration.
 */
export type RfqSettings = {
  readonly chainId: number
  readonly exchange: Hex
  /** Our wallet; the only maker that orders name. */
  readonly maker: Hex
  /** The pinned solver, which the venue must also report; null = the solver that the venue reports. */
  readonly solver: Hex | null
  /** The tokens on this chain; the shilling and at least one dollar. */
  readonly tokens: { readonly [asset in Asset]?: Hex }
  /** Lifetime of an order. A short life is the first defence against adverse selection. */
  readonly expiryMs: Ms
  /** Longest life of an order by our clock, regardless of the venue's clock; null = no bound. */
  readonly maxLifeMs: Ms | null
  /** An order with less than this to live is replaced. */
  readonly refreshMs: Ms
  /** An order whose price is further than this from its target is replaced. */
  readonly replaceThresholdBps: number
  /** Orders commit at most this part of min(balance, allowance) of a token, 0..1. */
  readonly promiseFactor: number
  readonly maxOrders: number
  readonly minOrderUsd: number
  /** Smallest distance of an order's price from the mid, in our favour. */
  readonly minEdgeBps: number
  /** Blocks on top of a block before it is final. */
  readonly confirmations: number
  readonly pollMs: Ms
  /** No order is signed while the newest block read is older. */
  readonly maxChainLagMs: Ms
  /** No order is signed while the clocks differ by more. */
  readonly maxClockOffsetMs: Ms
  readonly cancel: CancelSettings
  /** The signer's limits, to avoid refused requests. USD at 18 decimals; null = no limit. */
  readonly maxOrderUsd: bigint | null
  readonly maxOutstandingUsd: bigint | null
}

export type CancelSettings = {
  /** auto: if a fill is expected to cost more than the gas. Safety always cancels, except under `never`. */
  readonly policy: 'auto' | 'always' | 'never'
  /** The price of gas. */
  readonly usdPerEth: number
  /** Expected fills of an underpriced order, per minute of its life. */
  readonly pickOffsPerMinute: number
}
