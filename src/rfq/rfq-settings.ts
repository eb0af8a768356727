import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'
import type { Hex } from './rfq-order.ts'

/**
 * What the core needs to know to promise orders. Plain data without secrets; it is journalled with the
 * rest of the configuration.
 */
export type RfqSettings = {
  readonly chainId: number
  readonly exchange: Hex
  /** Our wallet; the only maker that orders name. */
  readonly maker: Hex
  /** Null: as the venue says. Otherwise the venue must say the same. */
  readonly solver: Hex | null
  /** The tokens on this chain; the shilling and at least one dollar. */
  readonly tokens: { readonly [asset in Asset]?: Hex }
  /** How long an order lives: a short life is the first defence against being picked off. */
  readonly expiryMs: Ms
  /** An order with less than this to live is replaced. */
  readonly refreshMs: Ms
  /** An order whose price is further than this from the one wanted is replaced. */
  readonly replaceThresholdBps: number
  /** What is promised of a token stays within this part of min(balance, allowance), 0..1. */
  readonly promiseFactor: number
  readonly maxOrders: number
  readonly minOrderUsd: number
  /** No order is better for the taker than this from the mid. */
  readonly minEdgeBps: number
  /** Blocks on top of a block before what it says is final. */
  readonly confirmations: number
  readonly pollMs: Ms
  /** A chain whose head is older than this is no ground for new promises. */
  readonly maxChainLagMs: Ms
  /** Clocks further apart than this are no ground for them either. */
  readonly maxClockOffsetMs: Ms
  readonly cancel: CancelSettings
  /** What the signer would refuse is not asked of it. USD with 18 decimals; absent (an older journal) = no limit. */
  readonly maxOrderUsd?: bigint
  readonly maxOutstandingUsd?: bigint
}

export type CancelSettings = {
  /** auto: where a fill is expected to cost more than the gas. Orders that safety forbids are always cancelled unless `never`. */
  readonly policy: 'auto' | 'always' | 'never'
  /** Values gas. */
  readonly usdPerEth: number
  /** How often an order that is too good for the taker is expected to be taken, per minute of its life. */
  readonly pickOffsPerMinute: number
}
