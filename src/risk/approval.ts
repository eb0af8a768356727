import type { Approved } from './approved.ts'
import type { RuleBreach } from './rule-breach.ts'
import type { Side } from '../money/side.ts'
import type { TargetOrder } from '../rfq/build-order.ts'

/**
 * What may stand at the venue. `quote`: these spreads, a null side off, never both unless in self-custody,
 * where only `orders` stand. `deactivate`: nothing;
 * the position is taken out of the market (the spread is widened first, so that nothing good stands while
 * the tokens come home).
 */
export type Target = {
  readonly kind: 'quote' | 'deactivate'
  readonly bidBps: number | null
  readonly askBps: number | null
  /** Used for the side flags' spread while that side is off: the contract wants a number for both. */
  readonly idleBps: number
  /** Widening or closing for safety: does not wait for the requote threshold and interval. */
  readonly safety: boolean
  readonly because: readonly string[]
  /** The orders that may stand, in self-custody; empty with pooled capital. */
  readonly orders: readonly TargetOrder[]
}

export type Clamp = { readonly side: Side; readonly wanted: number; readonly sent: number }

export type Approval = {
  readonly stance: Approved<Target>
  readonly state: 'ACTIVE' | 'REDUCING' | 'HALTED'
  readonly clamps: readonly Clamp[]
  /** A wish that no clamping can mend: counted as a refusal. */
  readonly refusal: RuleBreach | null
}

export type ApprovalSettings = {
  readonly safeBps: number
  readonly whenBothOff: 'deactivate' | 'safe'
  readonly onHalt: 'deactivate' | 'safe'
  /** Deactivating is the operator's business: safety then means the safe quote. */
  readonly mayDeactivate: boolean
  /** Null with pooled capital; otherwise orders are all that may stand. */
  readonly orders: OrderBounds | null
}

/** What bounds the price of an order: no better for the taker than this far from the mid. */
export type OrderBounds = { readonly mid: number | null; readonly minEdgeBps: number }
