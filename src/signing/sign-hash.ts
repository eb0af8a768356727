import { Secp256k1 } from 'ox'
import { invariant } from '../base/invariant.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { PrivateKey } from './private-key.ts'
import type { WasmEngine } from './wasm-engine.ts'

/** A signature of secp256k1 with a low s. */
export type HashSignature = { readonly r: Hex; readonly s: Hex; readonly yParity: 0 | 1 }

/** The one place where a key meets a hash. Deterministic (RFC 6979): every implementation signs alike. */
export type SignHash = (hash: Uint8Array) => HashSignature

/** The reference, in JavaScript (noble): about 1 ms a signature, nothing to load. */
export function referenceSignHash(key: PrivateKey): SignHash {
  return (hash) => {
    const { r, s, yParity } = key.use((privateKey) =>
      Secp256k1.sign({ payload: hash, privateKey, extraEntropy: false }),
    )
    return { r, s, yParity: parityOf(yParity) }
  }
}

/** libsecp256k1 in WebAssembly: about 50 us a signature. It wipes its own memory after each. */
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
