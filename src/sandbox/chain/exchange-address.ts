import type { Address } from 'viem'

/** Where the exchange is on Base. Source: rfq.md. */
export const EXCHANGE_ADDRESS: Address = '0xdef1c0ded9bec7f1a1670819833240f027b25eff'
/** Base. */
export const CHAIN_ID = 8_453
