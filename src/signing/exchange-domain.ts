import type { Hex } from '../rfq/rfq-order.ts'

/** The chain and the contract that a signature is good for, and nowhere else. */
export type ExchangeDomain = { readonly chainId: number; readonly exchange: Hex }
