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
 * The last known stage of an order: decided, but not in the journal yet, so certainly not signed; about to be
 * signed; accepted by the venue; without a clear answer; refused by the venue, which has seen the signature and
 * so may fill it all the same.
 */
type OrderPhase = 'reserving' | 'placing' | 'open' | 'unknown' | 'refused'

/** The part of an open order that is fixed once it is decided. The journal has it, whatever code decided it. */
export type Reservation = Pick<OpenOrder, 'order' | 'side' | 'stable' | 'makerAsset' | 'takerAsset' | 'price'>

/** A signed order, outstanding from before it is signed until the chain shows that it has ended. */
export type OpenOrder = {
  readonly order: RfqOrder
  readonly side: Side
  readonly stable: StableAsset
  /** What we give, and what we get for it. */
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
  /** A cancellation under way; on an order that is being reserved it means that it will not be signed. */
  cancel: { readonly sentAt: Ms; txHash: Hex | null } | null
}

/** How much of our token takers can still take. */
export function outstandingAmount({ order, makerAsset, makerFilled }: OpenOrder): BookAmount {
  return toBook(order.makerAmount - makerFilled, makerAsset)
}

/** The dollars that can still be filled, with 18 decimals; a part of a unit counts as one. */
export function outstandingUsd({ order, side, stable, makerFilled, takerFilled }: OpenOrder): bigint {
  const left = side === 'ask' ? order.takerAmount - takerFilled : order.makerAmount - makerFilled
  return toBook(left, stable)
}

/** Whether takers can still fill it, as far as is known. */
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

/** An open order as it is decided. */
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
