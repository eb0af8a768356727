import type { HashSignature, OrderSigner, SigningFailure } from '../order-signer.ts'
import { keccak256 } from 'viem'
import { err, invariant, ok, type Result } from '../../../base/result.ts'
import { addressOfKey, type PrivateKey } from './private-key.ts'
import { createOrderSigner } from '../create-order-signer.ts'
import type { WasmEngine } from './wasm-engine.ts'
import type { SigningGuard } from '../policy/signing-guard.ts'
import { Secp256k1 } from 'ox'

/**
 * Opens a signer whose key is in this process, and takes ownership of the key. With an engine it signs fast, provided
 * that engine and reference agree on one signature by this key; without an engine it is twenty times slower.
 */
export function openLocalSigner(
  key: PrivateKey,
  wall: SigningGuard,
  engine: WasmEngine | null,
): Result<OrderSigner, string> {
  const address = addressOfKey(key)
  if (engine === null) return ok(createOrderSigner(address, wall, safely(referenceSignHash(key))))
  const fast = fastSignHash(key, engine)
  if (!areEqual(fast, referenceSignHash(key), keccak256(address, 'bytes')))
    return err('the fast signing engine signs differently from the reference, so it is not used')
  return ok(createOrderSigner(address, wall, safely(fast), engine.keccak256))
}

/** Drops the engine's error, which could contain key material. */
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

/** The only place where a key signs a hash. Deterministic (RFC 6979): every implementation returns the same signature. */
type SignHash = (hash: Uint8Array) => HashSignature

/** The reference, in JavaScript (noble): about 1 ms per signature, no module to load. */
export function referenceSignHash(key: PrivateKey): SignHash {
  return (hash) => {
    const { r, s, yParity } = key.use((privateKey) =>
      Secp256k1.sign({ payload: hash, privateKey, extraEntropy: false }),
    )
    return { r, s, yParity: parityOf(yParity) }
  }
}

/** libsecp256k1 in WebAssembly: about 50 us per signature. Wipes its memory after each one. */
export function fastSignHash(key: PrivateKey, engine: WasmEngine): SignHash {
  return (hash) => {
    const bytes = key.use((privateKey) => engine.sign(hash, privateKey))
    const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
    return { r: `0x${hex.slice(2, 66)}`, s: `0x${hex.slice(66)}`, yParity: parityOf(bytes[0]) }
  }
}

function parityOf(value: number | undefined): 0 | 1 {
  invariant(value === 0 || value === 1, 'a signature has no parity')
  return value
}
