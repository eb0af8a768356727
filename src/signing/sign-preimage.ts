import type { Result } from '../base/result.ts'
import type { SigningFailure } from './order-signer.ts'
import type { HashSignature } from './sign-hash.ts'

/**
 * Signs the hash of some bytes, here or far away. Both are given, since some signers hash by themselves.
 * Never rejects, and what it answers with is a valid signature of the wallet.
 */
export type SignPreimage = (
  preimage: Uint8Array,
  hash: Uint8Array,
) => Result<HashSignature, SigningFailure> | Promise<Result<HashSignature, SigningFailure>>
