import type { Hex, RfqOrder } from '../../core/rfq/rfq-order.ts'
import type { LocalAccount } from 'viem'
import type { Result } from '../../base/result.ts'

/** A signature in the exchange's form: EIP-712, with v 27 or 28 and a low s. */
export type OrderSignature = {
  readonly signatureType: 2
  readonly v: 27 | 28
  readonly r: Hex
  readonly s: Hex
}

export type SignedOrder = {
  readonly order: RfqOrder
  /** The signed hash, equal to the exchange's getRfqOrderHash. */
  readonly hash: Hex
  readonly signature: OrderSignature
}

/** Why there is no signature. `isVoid`: certainly no signature exists; otherwise one may. */
export type SigningFailure = {
  readonly code: string
  /** A sentence without key material. */
  readonly message: string
  readonly isVoid: boolean
}

/** Signs orders and transactions of one wallet. Only its closure, or the remote signer, holds the key. */
export type OrderSigner = {
  readonly address: Hex
  /**
   * Counts an order that the policy permits on disk, then signs it. Refuses an order for a domain other than the
   * signer's. Never rejects.
   */
  readonly sign: (order: RfqOrder, domain?: ExchangeDomain) => Promise<Result<SignedOrder, SigningFailure>>
  /** For transactions from the same wallet. */
  readonly account: LocalAccount
}

/** The only chain and contract for which a signature is valid. */
export type ExchangeDomain = { readonly chainId: number; readonly exchange: Hex }

/**
 * Signs the hash of some bytes, locally or remotely; receives both because some signers hash themselves. Resolves to a
 * valid signature of the wallet and never rejects.
 */
export type SignPreimage = (
  preimage: Uint8Array,
  hash: Uint8Array,
) => Result<HashSignature, SigningFailure> | Promise<Result<HashSignature, SigningFailure>>

/** A signature of secp256k1 with a low s. */
export type HashSignature = { readonly r: Hex; readonly s: Hex; readonly yParity: 0 | 1 }
