import type { Ms } from '../../base/time.ts'
import type { Asset, TokenAmount, TokenAmounts } from '../../base/money/asset.ts'
import type { Hex, OrderStatus } from './rfq-order.ts'

/** A block by number and hash. */
export type SeenBlock = { readonly number: bigint; readonly hash: Hex }

/**
 * A reading of the chain at one block, so balances, fills and order states agree to the last unit.
 */
export type ChainReading = {
  readonly head: SeenBlock & { readonly t: Ms }
  /** True if a reorganisation removed the block that the reading was to continue from. */
  readonly isReorganised?: true
  /** One entry per requested order, in the same order. */
  readonly orders: readonly OrderReading[]
  /** First block that `fills` covers. */
  readonly fillsFrom: bigint
  /** Every fill of orders of our maker from that block up to the head, oldest first. */
  readonly fills: readonly ChainFill[]
  /** Transfers out of the wallet from that block on, fills of orders included; absent = no transfers, or not watched. */
  readonly outflows?: readonly Outflow[]
  /** The maker's wallet; tokens that the settings do not name are absent. */
  readonly balances: Partial<TokenAmounts>
  /** The exchange's allowances. */
  readonly allowances: Partial<TokenAmounts>

  readonly gasPriceWei: bigint
}

export type OrderReading = {
  readonly salt: bigint
  readonly hash: Hex
  readonly status: OrderStatus
  /** The filled part of takerAmount, in base units of the taker's token. */
  readonly takerFilled: bigint
}

export type ChainFill = {
  /** `transaction:log index`; the same fill has the same key in every reading. */
  readonly key: string
  /** The salt of its order if the request named it; null = an unknown order. */
  readonly salt: bigint | null
  readonly orderHash: Hex
  readonly block: bigint
  readonly txHash: Hex
  readonly makerToken: Hex
  readonly takerToken: Hex
  readonly makerAmount: TokenAmount
  readonly takerAmount: TokenAmount
}

/** A transfer of one of our tokens out of our wallet, no matter who made it. */
export type Outflow = {
  /** `transaction:log index`. */
  readonly key: string
  readonly asset: Asset
  readonly amount: TokenAmount
  readonly to: Hex
  readonly block: bigint
  readonly txHash: Hex
}
