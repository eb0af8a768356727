import { pbkdf2, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { KeyDerivation } from './keystore-format.ts'

const BYTES = 32

/**
 * Turns a password into the 32 bytes that encrypt a keystore, off the main thread. As geth does, the
 * password is taken as its UTF-8 bytes, without any normalisation.
 */
export async function deriveKey(kdf: KeyDerivation, password: string): Promise<Uint8Array> {
  const secret = Buffer.from(password)
  const salt = Buffer.from(kdf.salt, 'hex')
  try {
    if (kdf.kind === 'pbkdf2') return await promisify(pbkdf2)(secret, salt, kdf.iterations, BYTES, 'sha256')
    const { n, r, p } = kdf
    // OpenSSL counts a little more than the table of 128 * n * r bytes.
    const maxmem = 128 * r * (n + p + 2) + 2 ** 20
    return await scryptAsync(secret, salt, { N: n, r, p, maxmem })
  } finally {
    secret.fill(0)
  }
}

function scryptAsync(
  secret: Buffer,
  salt: Buffer,
  options: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, BYTES, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}
