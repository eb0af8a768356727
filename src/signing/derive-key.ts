import { pbkdf2, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { Bytes, Keystore } from 'ox'
import { invariant } from '../base/invariant.ts'
import type { KeyDerivation } from './keystore-format.ts'

type Scrypt = Extract<KeyDerivation, { readonly kind: 'scrypt' }>

const BYTES = 32

/**
 * Turns a password into the 32 bytes that encrypt a keystore, off the main thread where OpenSSL can. As geth
 * does, the password is taken as its UTF-8 bytes, without any normalisation.
 */
export async function deriveKey(kdf: KeyDerivation, password: string): Promise<Uint8Array> {
  const salt = Buffer.from(kdf.salt, 'hex')
  if (kdf.kind === 'pbkdf2') return promisify(pbkdf2)(password, salt, kdf.iterations, BYTES, 'sha256')
  // RFC 7914 wants N below 2^(128 r / 8) and OpenSSL insists; older wallets wrote r = 1 with N = 2^18.
  return kdf.n < 2 ** (16 * kdf.r) ? scryptNatively(kdf, salt, password) : scryptInScript(kdf, salt, password)
}

function scryptNatively({ n, r, p }: Scrypt, salt: Buffer, password: string): Promise<Uint8Array> {
  // OpenSSL counts a little more than the table of 128 * n * r bytes.
  const options = { N: n, r, p, maxmem: 128 * r * (n + p + 2) + 2 ** 20 }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, BYTES, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}

async function scryptInScript({ n, r, p }: Scrypt, salt: Buffer, password: string): Promise<Uint8Array> {
  const [key] = await Keystore.scryptAsync({ n, r, p, salt, password })
  invariant(typeof key === 'function', 'ox gives a derived key as a function')
  return Bytes.fromHex(key())
}
