import type { Ms } from '../base/time.ts'
import type { StableAsset } from '../money/asset.ts'
import type { Side } from '../money/side.ts'
import type { OrderPhase } from '../rfq/open-order.ts'
import type { Hex, OrderStatus } from '../rfq/rfq-order.ts'
import type { AmountTexts, DecimalText } from './position-view.ts'

/** What a position in self-custody shows: what it owes, what it may promise, and why it does not. */
export type RfqView = {
  readonly custody: 'self'
  /** Who may fill orders; null = not known yet. */
  readonly solver: Hex | null
  /** Why no order is placed, one sentence; null = orders are placed. */
  readonly blocked: string | null
  readonly chain: {
    /** Number of the newest block read. */
    readonly block: string
    /** How old it is. */
    readonly ageMs: Ms
    readonly gasGwei: DecimalText
  } | null
  /** Theirs minus ours; null = not measured. */
  readonly clockOffsetMs: { readonly venue: Ms | null; readonly chain: Ms | null }
  /** Requests that the ladder may have of the key's in a minute, and those that it had. */
  readonly requestShare: { readonly limit: number; readonly used: number }
  /** What takers may still take. */
  readonly promised: AmountTexts
  /** What may be promised on top of it; negative = too much is promised. */
  readonly free: AmountTexts
  /** The maker's wallet, and what the exchange may take of it, as the chain said last. */
  readonly balances: AmountTexts
  readonly allowances: AmountTexts
  /** Everything that is owed, oldest first. */
  readonly orders: readonly OrderView[]
  /** Since the journal began. */
  readonly counts: {
    readonly signed: number
    readonly filled: number
    readonly rejected: number
    readonly cancelled: number
    readonly expired: number
  }
}

export type OrderView = {
  /** Decimal; the order's name here. */
  readonly salt: string
  readonly hash: Hex | null
  readonly side: Side
  readonly stable: StableAsset
  /** Dollars of the whole order, and of what is not filled. */
  readonly usd: DecimalText
  readonly remainingUsd: DecimalText
  /** TZS per USD. */
  readonly priceTzs: DecimalText
  readonly expiresAt: Ms
  readonly phase: OrderPhase | 'cancelling'
  /** As the chain said last; null = not read yet. */
  readonly status: OrderStatus | null
}
