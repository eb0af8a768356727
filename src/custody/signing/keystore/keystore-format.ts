import { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'

/** An encrypted key in geth's V3 format, with every field checked. */
export type KeystoreFormat = {
  /** The address in the file, unchecked until the key is decrypted; null = missing. */
  readonly address: Hex | null
  readonly cipherText: string
  readonly iv: string
  readonly mac: string
  readonly kdf: KeyDerivation
}

export type KeyDerivation =
  | {
      readonly kind: 'scrypt'
      readonly salt: string
      readonly n: number
      readonly r: number
      readonly p: number
    }
  | { readonly kind: 'pbkdf2'; readonly salt: string; readonly iterations: number }

const hex = (bytes: number) =>
  z.string().regex(new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`), `is not ${bytes} bytes of hex`)
const salt = z.string().regex(/^([0-9a-fA-F]{2}){1,128}$/, 'is not hex of 1 to 128 bytes')
const whole = (max: number) => z.int().min(1).max(max)
const dklen = z.literal(32)

/** Bounds on the cost of deriving a key: a file must not exhaust memory or time. */
const MOST_MEMORY_BYTES = 2 ** 30
const MOST_SCRYPT_WORK = 2 ** 25

const scrypt = z
  .object({ dklen, salt, n: whole(2 ** 20), r: whole(64), p: whole(64) })
  .refine(({ n }) => n > 1 && Number.isInteger(Math.log2(n)), { path: ['n'], error: 'is not a power of two' })
  .refine(({ n, r, p }) => 128 * n * r <= MOST_MEMORY_BYTES && n * r * p <= MOST_SCRYPT_WORK, {
    path: ['n'],
    error: 'demands, with r and p, more memory or time than any wallet does',
  })
const pbkdf2 = z.object({ dklen, salt, c: whole(10_000_000), prf: z.literal('hmac-sha256') })

const CIPHER = {
  cipher: z.literal('aes-128-ctr'),
  ciphertext: hex(32),
  cipherparams: z.object({ iv: hex(16) }),
  mac: hex(32),
}
const crypto = z.discriminatedUnion('kdf', [
  z.object({ ...CIPHER, kdf: z.literal('scrypt'), kdfparams: scrypt }),
  z.object({ ...CIPHER, kdf: z.literal('pbkdf2'), kdfparams: pbkdf2 }),
])
const file = z.object({
  version: z.literal(3),
  address: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{40}$/, 'is not an address')
    .optional(),
  crypto,
})

/** Parses the text of a keystore file. The error is one line that names the wrong field. */
export function parseKeystore(text: string): Result<KeystoreFormat, string> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return err('is not JSON, so it is not a keystore')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return err('is not a keystore')
  // Some old wallets wrote `Crypto`; the format is the same.
  const { Crypto: capital, ...rest } = json as { readonly Crypto?: unknown; readonly version?: unknown }
  if (rest.version !== 3) return err('is not a keystore of version 3')
  const parsed = file.safeParse(capital === undefined ? rest : { crypto: capital, ...rest })
  return parsed.success ? ok(formatOf(parsed.data)) : err(problemOf(parsed.error))
}

function formatOf({ address, crypto }: z.infer<typeof file>): KeystoreFormat {
  const { kdf, kdfparams } = crypto
  return {
    address: address === undefined ? null : `0x${address.replace(/^0x/, '').toLowerCase()}`,
    cipherText: crypto.ciphertext,
    iv: crypto.cipherparams.iv,
    mac: crypto.mac,
    kdf:
      kdf === 'scrypt'
        ? { kind: kdf, salt: kdfparams.salt, n: kdfparams.n, r: kdfparams.r, p: kdfparams.p }
        : { kind: kdf, salt: kdfparams.salt, iterations: kdfparams.c },
  }
}

/** Returns the path of the first problem, without any value of the file. */
function problemOf(error: z.ZodError): string {
  const [first] = error.issues
  return `is a malformed keystore: ${first?.path.join('.')} ${first?.message}`
}
