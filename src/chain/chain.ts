import type { Result } from '../base/result.ts'
import type { VenueFailure } from '../engine/model/venue-answer.ts'
import type { Amounts, Asset } from '../money/asset.ts'
import type { ChainReading, SeenBlock } from '../rfq/chain-reading.ts'
import type { Hex, OrderCancel, RfqOrder } from '../rfq/rfq-order.ts'

/** The chain as one maker sees it. Nothing here rejects; failures are values whose `route` begins with 'chain'. */
export type Chain = {
  /**
   * Reads one block whole: the states of `orders` in one batch call, fills of our maker since `fillsFrom`
   * (null = from the head), balances, allowances, gas price, and whether the block `after` is still below it.
   * Fails where the endpoints disagree on what must be agreed on.
   */
  readonly read: (
    orders: readonly RfqOrder[],
    fillsFrom: bigint | null,
    after?: SeenBlock | null,
  ) => Promise<Result<ChainReading, VenueFailure>>
  /** Sends the cancellation and resolves once it is in the network; a reading tells when it took effect. */
  readonly cancel: (cancel: OrderCancel) => Promise<Result<SentTransaction, VenueFailure>>
  /** Allows the exchange exactly `amount` and waits for the receipt; nothing is sent where it is so already. */
  readonly approve: (asset: Asset, amount: bigint) => Promise<Result<SentTransaction | null, VenueFailure>>
  /** Balances and allowances at the latest block, for commands. */
  readonly wallet: () => Promise<
    Result<{ readonly balances: Partial<Amounts>; readonly allowances: Partial<Amounts> }, VenueFailure>
  >
  readonly close: () => Promise<void>
}

export type SentTransaction = { readonly txHash: Hex; readonly nonce: number }
