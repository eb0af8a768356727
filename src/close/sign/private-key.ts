import { createPrivateKey, type KeyObject } from 'node:crypto'
import { err, ok, type Result } from '../../base/result.ts'
import { KEY_KINDS } from './public-key.ts'
import { WireReader } from './wire.ts'

/** Why a file is no key that signs here. `elsewhere`: ssh-keygen can, by asking for a passphrase or through an agent. */
export type KeyRefusal = { readonly kind: 'elsewhere' | 'unsupported'; readonly message: string }

const FRAME = /^-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----\s*$/
const MAGIC = 'openssh-key-v1\0'

/** The private key of an SSH key file that is not encrypted. Source: PROTOCOL.key of OpenSSH. */
export function readPrivateKey(text: string): Result<KeyObject, KeyRefusal> {
  if (/^(ssh-|ecdsa-|sk-)\S+ /.test(text))
    return err({
      kind: 'elsewhere',
      message: 'the file is a public key: an agent has to hold the private one',
    })
  const base64 = FRAME.exec(text.trim())?.[1]
  if (base64 === undefined)
    return err(unsupported('the file is no OpenSSH private key; `ssh-keygen -t ed25519` makes one'))
  try {
    return fromBlob(new WireReader(Buffer.from(base64, 'base64')))
  } catch {
    // Bytes from outside: they end too early, or node does not take them for a key.
    return err(unsupported('the private key does not parse'))
  }
}

function fromBlob(reader: WireReader): Result<KeyObject, KeyRefusal> {
  if (reader.take(MAGIC.length).toString('latin1') !== MAGIC)
    return err(unsupported('the private key does not parse'))
  const cipher = reader.text()
  // The key derivation and its options.
  reader.string()
  reader.string()
  if (cipher !== 'none')
    return err({ kind: 'elsewhere', message: 'the private key is encrypted: ssh-keygen has to sign with it' })
  if (reader.number() !== 1) return err(unsupported('the file holds more than one key'))
  reader.string()
  return fromFields(new WireReader(reader.string()))
}

function fromFields(fields: WireReader): Result<KeyObject, KeyRefusal> {
  if (fields.number() !== fields.number()) return err(unsupported('the private key does not parse'))
  const kind = fields.text()
  if (kind === 'ssh-ed25519') {
    const [x, d] = [fields.string(), fields.string().subarray(0, 32)]
    return keyOf({ kty: 'OKP', crv: 'Ed25519', x: encoded(x), d: encoded(d) })
  }
  if (kind === 'ssh-rsa') return rsaOf(fields)
  const curve = /^ecdsa-sha2-nistp(256|384|521)$/.exec(kind)?.[1]
  if (curve === undefined) return err(unsupported(`a key of kind ${kind} is not supported; use ${KEY_KINDS}`))
  fields.string()
  const [point, d] = [fields.string(), fields.integer()]
  const bytes = (point.length - 1) / 2
  const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)]
  const secret = Buffer.concat([Buffer.alloc(Math.max(0, bytes - d.length)), d])
  return keyOf({ kty: 'EC', crv: `P-${curve}`, x: encoded(x), y: encoded(y), d: encoded(secret) })
}

function rsaOf(fields: WireReader): Result<KeyObject, KeyRefusal> {
  const [n, e, d, qi, p, q] = Array.from({ length: 6 }, () => fields.integer()) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const secret = BigInt(`0x${d.toString('hex')}`)
  const remainder = (prime: Buffer) => {
    const text = (secret % (BigInt(`0x${prime.toString('hex')}`) - 1n)).toString(16)
    return encoded(Buffer.from(text.padStart(text.length + (text.length % 2), '0'), 'hex'))
  }
  const [dp, dq] = [remainder(p), remainder(q)]
  const of = { n: encoded(n), e: encoded(e), d: encoded(d), p: encoded(p), q: encoded(q), qi: encoded(qi) }
  return keyOf({ kty: 'RSA', ...of, dp, dq })
}

function keyOf(jwk: Record<string, string>): Result<KeyObject, KeyRefusal> {
  return ok(createPrivateKey({ key: jwk, format: 'jwk' }))
}

function encoded(bytes: Buffer): string {
  return bytes.toString('base64url')
}

function unsupported(message: string): KeyRefusal {
  return { kind: 'unsupported', message }
}
