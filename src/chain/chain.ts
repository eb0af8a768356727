import type { Result } from '../base/result.ts'
import type { VenueFailure } from '../engine/model/venue-answer.ts'
import type { Amounts, Asset } from '../money/asset.ts'
import type { ChainReading, SeenBlock } from '../rfq/chain-reading.ts'
import type { Hex, OrderCancel, RfqOrder } from '../rfq/rfq-order.ts'
import type { Ms } from '../base/time.ts'

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

/** What the adapter of the chain needs to know. Addresses in lower case. */
export type ChainSettings = {
  readonly chainId: number
  /** The exchange contract (0x protocol v4). */
  readonly exchange: Hex
  /** Our wallet. */
  readonly maker: Hex
  readonly tokens: { readonly [asset in Asset]?: Hex }
  /**
   * JSON-RPC endpoints, the preferred one first. A URL may hold a key, so it can be a function that gives
   * it away; no message ever has more of it than the host.
   */
  readonly urls: readonly (string | (() => string))[]
  /** So many endpoints must agree on what a reading says. */
  readonly quorum: number
  /** For one request and its whole answer. */
  readonly timeoutMs: Ms
  /** Blocks on top of a transaction's block before it is forgotten here. */
  readonly confirmations: number
  /** Of all that a unit of gas may cost; beyond it nothing is sent. */
  readonly maxFeeGwei: number
  /** Of that, for whoever builds the block. */
  readonly tipGwei: number
  /** A transaction that is not in a block by then is sent again with a higher fee. */
  readonly replaceAfterMs: Ms
  /** Whether `approve` may allow the exchange more than any order could name (2^128 - 1). */
  readonly approveUnlimited: boolean
  /** Whether a reading looks for transfers out of the wallet too. */
  readonly watchTransfers: boolean
  /** Blocks in one request for fills. */
  readonly logsChunkBlocks: number
  /** A larger answer is none. */
  readonly maxAnswerBytes: number
  /** A head older than this makes us look whether another endpoint is further. */
  readonly maxHeadAgeMs: Ms
  /** How long `approve` waits for its receipt. */
  readonly receiptTimeoutMs: Ms
}

/** Everything that does not depend on who we are and on which chain. */
export const CHAIN_DEFAULTS = {
  quorum: 1,
  timeoutMs: 5_000,
  confirmations: 10,
  maxFeeGwei: 5,
  tipGwei: 0.01,
  replaceAfterMs: 30_000,
  approveUnlimited: false,
  watchTransfers: false,
  logsChunkBlocks: 2_000,
  maxAnswerBytes: 16_777_216,
  maxHeadAgeMs: 30_000,
  receiptTimeoutMs: 180_000,
} as const satisfies Partial<ChainSettings>
