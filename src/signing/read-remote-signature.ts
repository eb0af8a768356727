import { Secp256k1 } from 'ox'
import { err, ok, type Result } from '../base/result.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { SigningFailure } from './order-signer.ts'
import type { HashSignature } from './sign-hash.ts'

const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * Reads r, s and v from the text that somebody else answered. A high s is turned into the low one of the
 * same signature, as the exchange wants it. What does not recover to `address` is refused.
 */
export function readRemoteSignature(
  text: string,
  hash: Uint8Array,
  address: Hex,
): Result<HashSignature, SigningFailure> {
  const [, r = '', s = '', v = ''] =
    /^"?0x([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)"?$/i.exec(text.trim()) ?? []
  if (v === '') return failure('SIGN_REMOTE_GARBAGE', 'its answer is no signature')
  const signature = lowered(BigInt(`0x${r}`), BigInt(`0x${s}`), /^(00|1b)$/i.test(v) ? 0 : 1)
  const signer = signerOf(signature, hash)
  return signer === address
    ? ok(signature)
    : failure('SIGN_REMOTE_WRONG_KEY', `it signed as ${signer ?? 'nobody'} instead of ${address}`)
}

function lowered(r: bigint, s: bigint, yParity: 0 | 1): HashSignature {
  const isHigh = s > GROUP_ORDER / 2n && s < GROUP_ORDER
  return {
    r: word(r),
    s: word(isHigh ? GROUP_ORDER - s : s),
    yParity: isHigh ? (yParity === 0 ? 1 : 0) : yParity,
  }
}

/** Null where the signature is of no key at all. */
function signerOf({ r, s, yParity }: HashSignature, hash: Uint8Array): Hex | null {
  try {
    return Secp256k1.recoverAddress({ payload: hash, signature: { r, s, yParity } }).toLowerCase() as Hex
  } catch {
    return null
  }
}

function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

function failure(code: string, what: string): Result<never, SigningFailure> {
  return err({ code, message: `the remote signer cannot be relied on: ${what}`, isVoid: false })
}
