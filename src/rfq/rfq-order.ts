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
  readonly makerAmount: bigint
  readonly takerAmount: bigint
  readonly maker: Hex
  /** Who may fill it, and who must have sent the transaction: both the solver. */
  readonly taker: Hex
  readonly txOrigin: Hex
  readonly pool: Hex
  readonly expiry: bigint
  /** Grows with every order of a maker, so that one pair cancel kills all that came before. */
  readonly salt: bigint
}

/** What the exchange says of an order (getRfqOrderInfo), by its number there. */
export const ORDER_STATUSES = ['INVALID', 'FILLABLE', 'FILLED', 'CANCELLED', 'EXPIRED'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const MAX_UINT128: bigint = (1n << 128n) - 1n

/** How orders are taken back on chain: each by itself in one transaction, or a pair's below a salt. */
export type OrderCancel =
  | { readonly kind: 'each'; readonly orders: readonly RfqOrder[] }
  | {
      readonly kind: 'pair'
      readonly makerToken: Hex
      readonly takerToken: Hex
      /** Every order of the pair with a smaller salt is dead. */
      readonly minValidSalt: bigint
    }
