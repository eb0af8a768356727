import type { Ms } from '../base/time.ts'
import type { Asset, StableAsset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { Side } from '../money/side.ts'
import type { Hex, OrderStatus, RfqOrder } from './rfq-order.ts'

/**
 * How far we know an order got: decided, and not yet in the journal as such, so certainly not signed; about to
 * be signed; accepted by the venue; without a clear answer; refused by the venue, which has seen it and so may
 * fill it all the same.
 */
export type OrderPhase = 'reserving' | 'placing' | 'open' | 'unknown' | 'refused'

/** What of a promise is fixed once it is decided. The journal has it, whatever code decided it. */
export type Reservation = Pick<OpenOrder, 'order' | 'side' | 'stable' | 'makerAsset' | 'takerAsset' | 'price'>

/** A promise: owed from before it is signed until the chain says that it has ended. */
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
  /** As the chain said last; null = not read yet. */
  status: OrderStatus | null
  /** Sums of the fills that were booked. */
  makerFilled: bigint
  takerFilled: bigint
  /** The head at which the chain first said that it has ended, and has ever since; null = it can be filled. */
  endedAt: bigint | null
  /** A cancellation under way; while it is being reserved: it is not going to be signed. */
  cancel: { readonly sentAt: Ms; txHash: Hex | null } | null
}

/** What of our token may still be taken, in base units. */
export function outstandingAmount(owed: OpenOrder): bigint {
  return owed.order.makerAmount - owed.makerFilled
}

/** May a taker still fill it, as far as we know? */
export function isLive(owed: OpenOrder): boolean {
  return owed.endedAt === null
}

/** A promise in its first moment. */
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
