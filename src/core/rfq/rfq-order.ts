import type { TokenAmount } from '../../base/money/asset.ts'
/** 0x and hex digits; addresses and hashes in lower case throughout this program. */
export type Hex = `0x${string}`

/**
 * The RfqOrder of 0x protocol v4, field for field. Amounts are base units of their tokens, `expiry` is
 * seconds since the Unix epoch. A taker gives up to `takerAmount` of `takerToken` and gets
 * floor(given * makerAmount / takerAmount) of `makerToken` from `maker`.
 */
export type RfqOrder = {
  readonly makerToken: Hex
  readonly takerToken: Hex
  readonly makerAmount: TokenAmount
  readonly takerAmount: TokenAmount
  readonly maker: Hex
  /** The permitted taker and the permitted sender of the transaction: both are the solver. */
  readonly taker: Hex
  readonly txOrigin: Hex
  readonly pool: Hex
  readonly expiry: bigint
  /** The order's id. It grows with every order of a maker, so one transaction can cancel a pair's earlier orders. */
  readonly salt: bigint
}

/** The states of an order at the exchange (getRfqOrderInfo), by their number there. */
export const ORDER_STATUSES = ['INVALID', 'FILLABLE', 'FILLED', 'CANCELLED', 'EXPIRED'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const MAX_UINT128: bigint = (1n << 128n) - 1n

/** A cancellation on chain: of named orders in one transaction, or of a pair's orders below a salt. */
export type OrderCancel =
  | { readonly kind: 'each'; readonly orders: readonly RfqOrder[] }
  | {
      readonly kind: 'pair'
      readonly makerToken: Hex
      readonly takerToken: Hex
      /** Every order of the pair with a smaller salt is cancelled. */
      readonly minValidSalt: bigint
    }
