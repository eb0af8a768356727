import { pbkdf2, randomBytes, scrypt } from 'node:crypto'
import { Bytes, Keystore } from 'ox'
import { err, invariant, ok, type Result } from '../../../base/result.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { addressOfKey, PrivateKey } from '../local/private-key.ts'
import { type KeyDerivation, type KeystoreFormat, parseKeystore } from './keystore-format.ts'
import { promisify } from 'node:util'

export type OpenedKeystore = { readonly key: PrivateKey; readonly address: Hex }

/** Cost of opening a file: 128 * n * r bytes, and time that grows with n * r * p. */
type ScryptCost = { readonly n: number; readonly r: number; readonly p: number }

/** Geth's default: 256 MiB and about a second. */
const GETH_SCRYPT: ScryptCost = { n: 2 ** 18, r: 8, p: 1 }

/**
 * Decrypts the text of a keystore file. The error is one line without key or password; the format does not distinguish
 * a wrong password from a damaged file. Compares the codes in constant time.
 */
export async function decryptKeystore(
  text: string,
  password: string,
): Promise<Result<OpenedKeystore, string>> {
  const parsed = parseKeystore(text)
  if (!parsed.ok) return parsed
  const bytes = await decrypt(parsed.value, password).catch(() => undefined)
  if (bytes === undefined) return err('demands more memory than is available')
  if (bytes === null) return err('does not open with this password')
  const key = PrivateKey.of(bytes)
  if (!key.ok) return err(`holds no usable key: ${key.error}`)
  const address = addressOfKey(key.value)
  const named = parsed.value.address
  if (named === null || named === address) return ok({ key: key.value, address })
  key.value.wipe()
  return err(
    `names the address ${named}, but holds the key of ${address}: it is the wrong file, or was changed`,
  )
}

/** Returns the text of a new keystore for the key: V3, AES-128-CTR, geth's scrypt cost (another cost is for tests). */
export async function encryptKeystore(
  key: PrivateKey,
  password: string,
  cost = GETH_SCRYPT,
): Promise<string> {
  const salt = randomBytes(32).toString('hex')
  const derived = await deriveKey({ kind: 'scrypt', salt, ...cost }, password)
  const { crypto, id, version } = key.use((bytes) =>
    Keystore.encrypt(bytes, hexOf(derived), {
      kdf: 'scrypt',
      kdfparams: { dklen: 32, salt, ...cost },
      iv: Uint8Array.from(randomBytes(16)),
    }),
  )
  derived.fill(0)
  return `${JSON.stringify({ address: addressOfKey(key).slice(2), crypto, id, version })}\n`
}

/** Returns null for a wrong password. */
async function decrypt(format: KeystoreFormat, password: string): Promise<Uint8Array | null> {
  const { kdf, cipherText, iv, mac } = format
  const derived = await deriveKey(kdf, password)
  const crypto = { cipher: 'aes-128-ctr', ciphertext: cipherText, cipherparams: { iv }, mac } as const
  // The key is already derived, so ox reads none of these.
  const unused = { kdf: 'scrypt', kdfparams: { dklen: 32, salt: '', ...GETH_SCRYPT } } as const
  try {
    // ox throws here only for differing codes, because everything else was checked before.
    return Keystore.decrypt({ crypto: { ...crypto, ...unused }, id: '', version: 3 }, hexOf(derived), {
      as: 'Bytes',
    })
  } catch {
    return null
  } finally {
    derived.fill(0)
  }
}

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

type Scrypt = Extract<KeyDerivation, { readonly kind: 'scrypt' }>

const BYTES = 32

/**
 * Derives the 32 bytes that encrypt a keystore from a password, off the main thread if OpenSSL can. Like geth, uses the
 * password's UTF-8 bytes without normalisation.
 */
async function deriveKey(kdf: KeyDerivation, password: string): Promise<Uint8Array> {
  const salt = Buffer.from(kdf.salt, 'hex')
  if (kdf.kind === 'pbkdf2') return promisify(pbkdf2)(password, salt, kdf.iterations, BYTES, 'sha256')
  // RFC 7914 and OpenSSL require N below 2^(128 r / 8); older wallets wrote r = 1 with N = 2^18.
  return kdf.n < 2 ** (16 * kdf.r) ? scryptNatively(kdf, salt, password) : scryptInScript(kdf, salt, password)
}

function scryptNatively({ n, r, p }: Scrypt, salt: Buffer, password: string): Promise<Uint8Array> {
  // OpenSSL needs slightly more than the table of 128 * n * r bytes.
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
