import type { Address, Hex } from 'viem'
import type { OrderStatus } from '../rfq/rfq-order.ts'

/** What the exchange contract says of an order and its signature. */
export type OrderOnChain =
  /** Nobody answered. */
  | { readonly kind: 'unavailable' }
  /** The contract takes no such signature for this maker. */
  | { readonly kind: 'bad-signature' }
  | {
      readonly kind: 'read'
      readonly hash: Hex
      readonly status: OrderStatus
      /** Who signed: the maker, or somebody whom the maker registered with the contract. */
      readonly signer: Address
    }
