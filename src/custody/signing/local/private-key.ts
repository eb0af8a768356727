import { inspect } from 'node:util'
import { err, ok, type Result } from '../../../base/result.ts'
import { Address, Secp256k1 } from 'ox'
import type { Hex } from '../../../core/rfq/rfq-order.ts'

/** The order of secp256k1's group; a key is at least 1 and less than this. */
export const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * The 32 bytes of a key. Logging, inspecting, joining or serialising it yields '[private key]'; only `use` passes the
 * bytes to a function, which must not keep them.
 */
export class PrivateKey {
  readonly #bytes: Uint8Array

  /** Takes ownership of the bytes, which are wiped with the key. */
  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The error describes the problem and never contains the bytes. */
  static of(bytes: Uint8Array): Result<PrivateKey, string> {
    if (bytes.length !== 32) return err('a private key has 32 bytes')
    const number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
    if (number === 0n || number >= GROUP_ORDER)
      return err('it is not a private key of secp256k1: zero, or not below the order of the group')
    return ok(new PrivateKey(bytes))
  }

  /** Parses 64 hex digits, with or without 0x, ignoring surrounding blanks. */
  static parse(text: string): Result<PrivateKey, string> {
    const digits = text.trim().replace(/^0x/, '')
    if (!/^[0-9a-fA-F]{64}$/.test(digits))
      return err('a private key is 64 hex digits, with or without 0x before them')
    return PrivateKey.of(Uint8Array.from(Buffer.from(digits, 'hex')))
  }

  use<T>(work: (bytes: Uint8Array) => T): T {
    return work(this.#bytes)
  }

  /** Zeroes the bytes; the key cannot be used afterwards. */
  wipe(): void {
    this.#bytes.fill(0)
  }

  toString(): string {
    return '[private key]'
  }

  toJSON(): string {
    return '[private key]'
  }

  [inspect.custom](): string {
    return '[private key]'
  }
}

/** Returns the wallet of a key, in lower case. */
export function addressOfKey(key: PrivateKey): Hex {
  const publicKey = key.use((privateKey) => Secp256k1.getPublicKey({ privateKey }))
  return Address.fromPublicKey(publicKey).toLowerCase() as Hex
}
