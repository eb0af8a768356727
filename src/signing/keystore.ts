import { randomBytes } from 'node:crypto'
import { Keystore } from 'ox'
import { err, ok, type Result } from '../base/result.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import { addressOfKey } from './address-of-key.ts'
import { deriveKey } from './derive-key.ts'
import { parseKeystore, type KeystoreFormat } from './keystore-format.ts'
import { PrivateKey } from './private-key.ts'

export type OpenedKeystore = { readonly key: PrivateKey; readonly address: Hex }

/** What opening a file costs: 128 * n * r bytes, and time that grows with n * r * p. */
export type ScryptCost = { readonly n: number; readonly r: number; readonly p: number }

/** As geth writes its own: 256 MiB and about a second. */
const GETH_SCRYPT: ScryptCost = { n: 2 ** 18, r: 8, p: 1 }

/**
 * Decrypts the text of a keystore file. The error is one line without key or password; a wrong password and
 * a damaged cipher text look the same, as the format has it. The codes are compared in constant time.
 */
export async function decryptKeystore(
  text: string,
  password: string,
): Promise<Result<OpenedKeystore, string>> {
  const parsed = parseKeystore(text)
  if (!parsed.ok) return parsed
  const bytes = await decrypt(parsed.value, password).catch(() => undefined)
  if (bytes === undefined) return err('asks for more memory than there is')
  if (bytes === null) return err('does not open with this password')
  const key = PrivateKey.of(bytes)
  if (!key.ok) return err(`holds no usable key: ${key.error}`)
  const address = addressOfKey(key.value)
  const said = parsed.value.address
  if (said === null || said === address) return ok({ key: key.value, address })
  key.value.wipe()
  return err(`says ${said}, but holds the key of ${address}: somebody mixed up or changed the file`)
}

/** The text of a new keystore file for the key: V3, AES-128-CTR, scrypt as geth's (the cost is for tests). */
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

/** Null where the password is not the one. */
async function decrypt(format: KeystoreFormat, password: string): Promise<Uint8Array | null> {
  const { kdf, cipherText, iv, mac } = format
  const derived = await deriveKey(kdf, password)
  const crypto = { cipher: 'aes-128-ctr', ciphertext: cipherText, cipherparams: { iv }, mac } as const
  // Its key was derived already; ox looks at none of these.
  const unused = { kdf: 'scrypt', kdfparams: { dklen: 32, salt: '', ...GETH_SCRYPT } } as const
  try {
    // ox throws here for nothing but codes that differ: everything else was checked before.
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
