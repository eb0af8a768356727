import type { LocalAccount } from 'viem'
import type { Result } from '../base/result.ts'
import type { Hex, RfqOrder } from '../rfq/rfq-order.ts'
import type { HashSignature } from './local/local-signer.ts'

/** As the exchange takes it: an EIP-712 signature with v 27 or 28 and a low s. */
export type OrderSignature = {
  readonly signatureType: 2
  readonly v: 27 | 28
  readonly r: Hex
  readonly s: Hex
}

export type SignedOrder = {
  readonly order: RfqOrder
  /** The hash that was signed, which is the exchange's getRfqOrderHash. */
  readonly hash: Hex
  readonly signature: OrderSignature
}

/** Why there is no signature. `isVoid`: certainly none exists; otherwise somebody may hold one. */
export type SigningFailure = {
  readonly code: string
  /** A sentence for people; never holds key material. */
  readonly message: string
  readonly isVoid: boolean
}

/** Signs orders and transactions of one wallet. The key is nowhere but in the closure, or at a remote signer. */
export type OrderSigner = {
  readonly address: Hex
  /**
   * Signs what its policy permits, once that is counted on disk. An order for another domain than the signer's own is
   * refused. Never rejects.
   */
  readonly sign: (order: RfqOrder, domain?: ExchangeDomain) => Promise<Result<SignedOrder, SigningFailure>>
  /** For transactions from the same wallet. */
  readonly account: LocalAccount
}

/** The chain and the contract that a signature is good for, and nowhere else. */
export type ExchangeDomain = { readonly chainId: number; readonly exchange: Hex }

/**
 * Signs the hash of some bytes, here or far away. Both are given, since some signers hash by themselves.
 * Never rejects, and what it answers with is a valid signature of the wallet.
 */
export type SignPreimage = (
  preimage: Uint8Array,
  hash: Uint8Array,
) => Result<HashSignature, SigningFailure> | Promise<Result<HashSignature, SigningFailure>>
