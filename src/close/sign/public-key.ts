import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { err, ok, type Result } from '../../base/result.ts'
import { WireReader, wireInteger, wireString } from './wire.ts'

/** Of the elliptic curves that SSH knows: node's name, its digest, bytes of a coordinate. */
const CURVES = {
  nistp256: { jwk: 'P-256', digest: 'sha256', bytes: 32 },
  nistp384: { jwk: 'P-384', digest: 'sha384', bytes: 48 },
  nistp521: { jwk: 'P-521', digest: 'sha512', bytes: 66 },
} as const
type Curve = keyof typeof CURVES

/** Below this an RSA key is within reach of a patient attacker. */
const MIN_RSA_BITS = 2048
export const KEY_KINDS = 'ssh-ed25519, ssh-rsa (2048 bits and more) and ecdsa-sha2-nistp256, 384 or 521'

/** The public half of an SSH key in its wire form, as a key of node. The error names what is supported. */
export function readPublicKey(blob: Uint8Array): Result<KeyObject, string> {
  try {
    return keyOf(new WireReader(blob))
  } catch {
    // Bytes from outside: they end too early, or node does not take them for a key.
    return err('the public key does not parse')
  }
}

function keyOf(reader: WireReader): Result<KeyObject, string> {
  const kind = reader.text()
  const curve = curveOf(kind)
  if (kind === 'ssh-ed25519')
    return whole(reader, { kty: 'OKP', crv: 'Ed25519', x: reader.string().toString('base64url') })
  if (kind === 'ssh-rsa') {
    const [e, n] = [reader.integer(), reader.integer()]
    if (n.length * 8 < MIN_RSA_BITS) return err(`an RSA key needs ${MIN_RSA_BITS} bits`)
    return whole(reader, { kty: 'RSA', e: e.toString('base64url'), n: n.toString('base64url') })
  }
  if (curve === null) return err(`a key of kind ${kind} is not supported; use ${KEY_KINDS}`)
  const name = reader.text()
  const point = reader.string()
  const { jwk, bytes } = CURVES[curve]
  if (name !== curve || point.length !== 1 + 2 * bytes || point[0] !== 4)
    return err('the public key does not parse')
  const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)]
  return whole(reader, { kty: 'EC', crv: jwk, x: x.toString('base64url'), y: y.toString('base64url') })
}

function whole(reader: WireReader, jwk: Record<string, string>): Result<KeyObject, string> {
  if (!reader.isAtEnd()) return err('the public key does not parse')
  return ok(createPublicKey({ key: jwk, format: 'jwk' }))
}

function curveOf(kind: string): Curve | null {
  const curve = /^ecdsa-sha2-(nistp(?:256|384|521))$/.exec(kind)?.[1]
  return curve === undefined ? null : (curve as Curve)
}

/** The wire form of a key's public half; null = a kind that SSH signatures are not made with here. */
export function publicBlob(key: KeyObject): Buffer | null {
  const jwk = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  const bytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')
  if (jwk.crv === 'Ed25519') return Buffer.concat([wireString('ssh-ed25519'), wireString(bytes(jwk.x))])
  if (jwk.kty === 'RSA')
    return Buffer.concat([wireString('ssh-rsa'), wireInteger(bytes(jwk.e)), wireInteger(bytes(jwk.n))])
  const curve = (Object.keys(CURVES) as Curve[]).find((name) => CURVES[name].jwk === jwk.crv)
  if (curve === undefined) return null
  const point = Buffer.concat([Buffer.from([4]), bytes(jwk.x), bytes(jwk.y)])
  return Buffer.concat([wireString(`ecdsa-sha2-${curve}`), wireString(curve), wireString(point)])
}

/** A signature in SSH's wire form: its algorithm and its bytes. */
export function signBlob(key: KeyObject, data: Buffer): Buffer {
  const kind = new WireReader(publicBlob(key) ?? wireString('')).text()
  const curve = curveOf(kind)
  if (curve === null) {
    const [algorithm, digest] = kind === 'ssh-rsa' ? ['rsa-sha2-512', 'sha512'] : [kind, null]
    return Buffer.concat([wireString(algorithm), wireString(sign(digest, data, key))])
  }
  const pair = sign(CURVES[curve].digest, data, { key, dsaEncoding: 'ieee-p1363' })
  const half = pair.length / 2
  const numbers = Buffer.concat([wireInteger(pair.subarray(0, half)), wireInteger(pair.subarray(half))])
  return Buffer.concat([wireString(kind), wireString(numbers)])
}

/** Whether a signature in SSH's wire form is that key's over `data`. False for bytes that are no signature. */
export function isSignedBy(key: KeyObject, data: Buffer, signature: Uint8Array): boolean {
  try {
    const reader = new WireReader(signature)
    const [algorithm, bytes] = [reader.text(), reader.string()]
    if (!reader.isAtEnd()) return false
    if (algorithm === 'ssh-ed25519')
      return key.asymmetricKeyType === 'ed25519' && verify(null, data, key, bytes)
    if (algorithm === 'rsa-sha2-512' || algorithm === 'rsa-sha2-256')
      return (
        key.asymmetricKeyType === 'rsa' && verify(algorithm.replace('rsa-sha2-', 'sha'), data, key, bytes)
      )
    const curve = curveOf(algorithm)
    if (curve === null || key.asymmetricKeyType !== 'ec') return false
    const numbers = new WireReader(bytes)
    const pair = [numbers.integer(), numbers.integer()].map((number) => padded(number, CURVES[curve].bytes))
    if (!numbers.isAtEnd()) return false
    return verify(CURVES[curve].digest, data, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat(pair))
  } catch {
    // Bytes from outside: they end too early, or node refuses them.
    return false
  }
}

function padded(number: Buffer, length: number): Buffer {
  return Buffer.concat([Buffer.alloc(Math.max(0, length - number.length)), number])
}

/** A public key as `ssh-keygen -l` names it. */
export function fingerprint(blob: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}
