import type { Approved } from './approved.ts'
import type { RuleBreach } from './rule-breach.ts'
import type { Side } from '../../base/money/side.ts'
import type { TargetOrder } from '../rfq/build-order.ts'

/**
 * The quote permitted at the venue. `quote`: these spreads; a null side is off, and both are off only in self-custody, which
 * uses `orders`. `deactivate`: no quote; the position leaves the market (the spread is widened first, so no attractive quote is
 * live while the tokens return to the wallet).
 */
export type Target = {
  readonly kind: 'quote' | 'deactivate'
  readonly bidBps: number | null
  readonly askBps: number | null
  /** The spread of a side that is off: the venue's API needs a number for both sides. */
  readonly idleBps: number
  /** Widens or closes for safety, so it does not wait for the requote threshold and interval. */
  readonly safety: boolean
  readonly because: readonly string[]
  /** The permitted orders in self-custody; empty with pooled capital. */
  readonly orders: readonly TargetOrder[]
}

/** A spread that was moved to the nearest one allowed. */
export type Clamp = { readonly side: Side; readonly wanted: number; readonly sent: number }

export type Approval = {
  readonly target: Approved<Target>
  readonly state: 'ACTIVE' | 'REDUCING' | 'HALTED'
  readonly clamps: readonly Clamp[]
  /** Why the strategy's quote was refused as a whole; null = accepted. */
  readonly refusal: RuleBreach | null
}

export type ApprovalSettings = {
  readonly safeBps: number
  readonly whenBothOff: 'deactivate' | 'safe'
  readonly onHalt: 'deactivate' | 'safe'
  /** False if only the operator activates and deactivates: safety then means the safe quote. */
  readonly mayDeactivate: boolean
  /** The venue ignores side flags: a side that is off stays open at the widest spread. Absent = it can be closed. */
  readonly cannotClose?: boolean
  /** Bounds of orders in self-custody; null with pooled capital. */
  readonly orders: OrderBounds | null
}

/** The bound on an order's price: at least `minEdgeBps` from the mid, in our favour. */
export type OrderBounds = { readonly mid: number | null; readonly minEdgeBps: number }
