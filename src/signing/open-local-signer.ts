import { keccak256 } from 'viem'
import { err, ok, type Result } from '../base/result.ts'
import { addressOfKey } from './address-of-key.ts'
import { createOrderSigner } from './create-order-signer.ts'
import type { OrderSigner, SigningFailure } from './order-signer.ts'
import type { PrivateKey } from './private-key.ts'
import { fastSignHash, referenceSignHash, type HashSignature, type SignHash } from './sign-hash.ts'
import type { WasmEngine } from './wasm-engine.ts'
import type { SigningWall } from './policy/signing-wall.ts'

/**
 * A signer whose key is in this process. With an engine it signs fast, provided that engine and reference
 * agree on one signature of this very key; without, it is twenty times slower and needs nothing. The key
 * belongs to the signer from here on.
 */
export function openLocalSigner(
  key: PrivateKey,
  wall: SigningWall,
  engine: WasmEngine | null,
): Result<OrderSigner, string> {
  const address = addressOfKey(key)
  if (engine === null) return ok(createOrderSigner(address, wall, safely(referenceSignHash(key))))
  const fast = fastSignHash(key, engine)
  if (!areEqual(fast, referenceSignHash(key), keccak256(address, 'bytes')))
    return err('the fast signing engine signs differently from the reference; nothing is signed with it')
  return ok(createOrderSigner(address, wall, safely(fast), engine.keccak256))
}

/** What an engine throws says nothing to anybody and might say too much. */
function safely(signHash: SignHash) {
  return (_preimage: Uint8Array, hash: Uint8Array): Result<HashSignature, SigningFailure> => {
    try {
      return ok(signHash(hash))
    } catch {
      return err({ code: 'SIGN_FAILED', message: 'not signed: the signing engine failed', isVoid: true })
    }
  }
}

function areEqual(one: SignHash, other: SignHash, hash: Uint8Array): boolean {
  const first = one(hash)
  const second = other(hash)
  return first.r === second.r && first.s === second.s && first.yParity === second.yParity
}
