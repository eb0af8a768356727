import type { Ms } from '../base/time.ts'
import type { Amounts, Asset } from '../money/asset.ts'
import type { Hex, OrderStatus } from './rfq-order.ts'

/** Which block, of all that may have its number. */
export type SeenBlock = { readonly number: bigint; readonly hash: Hex }

/**
 * One look at the chain. Everything in it is of one block, so that balances, fills and states of orders
 * fit together to the last unit.
 */
export type ChainReading = {
  readonly head: SeenBlock & { readonly t: Ms }
  /** The block that was asked about is not in this head's chain: a reorganisation took it. Absent = it is. */
  readonly isReorganised?: true
  /** One for each order that was asked for, in that order. */
  readonly orders: readonly OrderReading[]
  /** First block that `fills` covers. */
  readonly fillsFrom: bigint
  /** Every fill of orders of our maker from that block up to the head, oldest first. */
  readonly fills: readonly ChainFill[]
  /** What left the wallet from that block on, fills of orders included; absent = nothing did, or nobody looks. */
  readonly outflows?: readonly Outflow[]
  /** The maker's wallet; tokens that the settings do not name are absent. */
  readonly balances: Partial<Amounts>
  /** What the exchange may take of it. */
  readonly allowances: Partial<Amounts>
  /** What a unit of gas costs now. */
  readonly gasPriceWei: bigint
}

export type OrderReading = {
  readonly salt: bigint
  readonly hash: Hex
  readonly status: OrderStatus
  /** Of takerAmount, in base units of the taker's token. */
  readonly takerFilled: bigint
}

export type ChainFill = {
  /** `transaction:log index`; the same fill has the same key in every reading. */
  readonly key: string
  /** The order's, where it was among those asked for; null = an order that we do not know. */
  readonly salt: bigint | null
  readonly orderHash: Hex
  readonly block: bigint
  readonly txHash: Hex
  readonly makerToken: Hex
  readonly takerToken: Hex
  readonly makerAmount: bigint
  readonly takerAmount: bigint
}

/** A transfer of one of our tokens out of our wallet, whoever made it. */
export type Outflow = {
  /** `transaction:log index`. */
  readonly key: string
  readonly asset: Asset
  readonly amount: bigint
  readonly to: Hex
  readonly block: bigint
  readonly txHash: Hex
}
