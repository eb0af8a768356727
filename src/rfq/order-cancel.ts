import type { Hex, RfqOrder } from './rfq-order.ts'

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
