import type { Hex, OrderCancel, RfqOrder } from '../../core/rfq/rfq-order.ts'
import { type TokenAmounts, type Asset, ASSETS } from '../../base/money/asset.ts'
import type { Result } from '../../base/result.ts'
import type { VenueFailure } from '../../core/engine/model/venue-answer.ts'
import type { ChainReading, SeenBlock } from '../../core/rfq/chain-reading.ts'
import type { Ms } from '../../base/time.ts'

/** The chain as one maker sees it. No method rejects; failures are values whose `route` begins with 'chain'. */
export type Chain = {
  /**
   * Reads one block consistently: the states of `orders` in one batch call, our maker's fills since `fillsFrom` (null =
   * from the head), balances, allowances, gas price, and whether the block `after` is still below it. Fails if the
   * endpoints disagree on a value that needs a quorum.
   */
  readonly read: (
    orders: readonly RfqOrder[],
    fillsFrom: bigint | null,
    after?: SeenBlock | null,
  ) => Promise<Result<ChainReading, VenueFailure>>
  /** Sends the cancellation and resolves once the network has it; a later reading shows when it takes effect. */
  readonly cancel: (cancel: OrderCancel) => Promise<Result<SentTransaction, VenueFailure>>
  /** Sets the exchange's allowance to exactly `amount` and waits for the receipt; null = it already was. */
  readonly approve: (asset: Asset, amount: bigint) => Promise<Result<SentTransaction | null, VenueFailure>>
  /** Balances and allowances at the latest block, for commands. */
  readonly wallet: () => Promise<
    Result<
      { readonly balances: Partial<TokenAmounts>; readonly allowances: Partial<TokenAmounts> },
      VenueFailure
    >
  >
  readonly close: () => Promise<void>
}

export type SentTransaction = { readonly txHash: Hex; readonly nonce: number }

/** The settings of the chain adapter. Addresses in lower case. */
export type ChainSettings = {
  readonly chainId: number
  /** The exchange contract (0x protocol v4). */
  readonly exchange: Hex
  /** Our wallet. */
  readonly maker: Hex
  readonly tokens: { readonly [asset in Asset]?: Hex }
  /**
   * JSON-RPC endpoints, preferred first. A URL may contain a key, so it can be a function that reveals it; messages
   * contain only its host.
   */
  readonly urls: readonly (string | (() => string))[]
  /** Number of endpoints that must agree on a reading. */
  readonly quorum: number
  /** Limit for one request and its complete answer. */
  readonly timeoutMs: Ms
  /** Blocks on top of a transaction's block before it is final. */
  readonly confirmations: number
  /** Maximum price of a unit of gas; above it no transaction is sent. */
  readonly maxFeeGwei: number
  /** The part of the gas price that goes to the block's builder. */
  readonly tipGwei: number
  /** A transaction not mined after this time is sent again with higher fees. */
  readonly replaceAfterMs: Ms
  /** Whether `approve` may set an allowance above any possible order (2^128 - 1). */
  readonly approveUnlimited: boolean
  /** Readings include transfers out of the wallet. */
  readonly watchTransfers: boolean
  /** Blocks per request for fills. */
  readonly logsChunkBlocks: number
  /** A larger answer is malformed. */
  readonly maxAnswerBytes: number
  /** If the head is older than this, the reader also queries the other endpoints' heads. */
  readonly maxHeadAgeMs: Ms
  /** Time that `approve` waits for its receipt. */
  readonly receiptTimeoutMs: Ms
}

/** The settings that depend neither on the wallet nor on the chain. */
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

/** Returns the configured tokens, in the order of all assets. */
export function tokenList(
  tokens: ChainSettings['tokens'],
): readonly { readonly asset: Asset; readonly token: Hex }[] {
  return ASSETS.flatMap((asset) => {
    const token = tokens[asset]
    return token === undefined ? [] : [{ asset, token }]
  })
}
