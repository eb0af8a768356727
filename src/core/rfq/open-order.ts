import type { Ms } from '../../base/time.ts'
import {
  type Asset,
  type BookAmount,
  type StableAsset,
  toBook,
  type TokenAmount,
} from '../../base/money/asset.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { Side } from '../../base/money/side.ts'
import type { Hex, OrderStatus, RfqOrder } from './rfq-order.ts'

/**
 * The last known stage of an order: `reserving` = decided but not yet journalled, so certainly not signed; `placing` = about to
 * be signed; `open` = accepted by the venue; `unknown` = no clear answer; `refused` = refused by the venue, which has the
 * signature and may still fill the order.
 */
type OrderPhase = 'reserving' | 'placing' | 'open' | 'unknown' | 'refused'

/** The part of an open order that is fixed by the decision. The journal stores it, independently of the code that decided. */
export type Reservation = Pick<OpenOrder, 'order' | 'side' | 'stable' | 'makerAsset' | 'takerAsset' | 'price'>

/** A signed order, outstanding from before it is signed until the chain shows that it has ended. */
export type OpenOrder = {
  readonly order: RfqOrder
  readonly side: Side
  readonly stable: StableAsset
  /** The asset we give, and the asset we receive. */
  readonly makerAsset: Asset
  readonly takerAsset: Asset
  readonly price: Rate
  readonly reservedAt: Ms
  phase: OrderPhase
  hash: Hex | null
  /** From the latest reading of the chain; null = not read yet. */
  status: OrderStatus | null
  /** Sums of the fills that were booked. */
  makerFilled: TokenAmount
  takerFilled: TokenAmount
  /** The head at which the chain first showed its end, as long as later heads agree; null = it can be filled. */
  endedAt: bigint | null
  /** A cancellation in progress; a reserving order with one will not be signed. */
  cancel: { readonly sentAt: Ms; txHash: Hex | null } | null
}

/** Returns the amount of our token that takers can still take. */
export function outstandingAmount({ order, makerAsset, makerFilled }: OpenOrder): BookAmount {
  return toBook(order.makerAmount - makerFilled, makerAsset)
}

/** Returns the dollars that can still be filled, at 18 decimals; a part of a unit counts as one. */
export function outstandingUsd({ order, side, stable, makerFilled, takerFilled }: OpenOrder): bigint {
  const left = side === 'ask' ? order.takerAmount - takerFilled : order.makerAmount - makerFilled
  return toBook(left, stable)
}

/** Returns whether takers can still fill the order, as far as known. */
export function isLive({ endedAt }: OpenOrder): boolean {
  return endedAt === null
}

export function expiresAt({ order }: OpenOrder): Ms {
  return Number(order.expiry) * 1_000
}

/** A cancellation of the order begins; it has no transaction yet. */
export function requestCancel(open: OpenOrder, now: Ms): void {
  open.cancel = { sentAt: now, txHash: null }
}

/** Returns the open order of a reservation. */
export function openOrderFrom(reservation: Reservation, reservedAt: Ms): OpenOrder {
  return {
    ...reservation,
    reservedAt,
    phase: 'reserving',
    hash: null,
    status: null,
    makerFilled: 0n,
    takerFilled: 0n,
    endedAt: null,
    cancel: null,
  }
}
