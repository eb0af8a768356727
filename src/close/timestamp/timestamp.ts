import { createHash } from 'node:crypto'
import { err, ok, type Result } from '../../base/result.ts'
import { DER, der, type DerElement, readAllDer, readDer } from './der.ts'

/** The object identifiers of SHA-256, of signed data and of a time-stamp's content, as DER has them. */
const SHA256 = Buffer.from('608648016503040201', 'hex')
const SIGNED_DATA = Buffer.from('2a864886f70d010702', 'hex')
const TIMESTAMP_INFO = Buffer.from('2a864886f70d0109100104', 'hex')
const GRANTED = [0, 1]

/** Asks an authority to state that it has seen these bytes: their digest and a random number leave, nothing else. */
export function timestampQuery(message: Uint8Array, nonce: Uint8Array): Buffer {
  const algorithm = der(DER.sequence, der(DER.oid, SHA256), der(DER.null))
  return der(
    DER.sequence,
    der(DER.integer, Buffer.from([1])),
    der(DER.sequence, algorithm, der(DER.octets, digestOf(message))),
    der(DER.integer, positive(nonce)),
    // The certificate comes along, so that the answer alone can be verified.
    der(DER.boolean, Buffer.from([0xff])),
  )
}

export type Timestamp = {
  /** When the authority saw the close, in ISO 8601. */
  readonly at: string
  /** The number of the query. */
  readonly nonce: string | null
}

/**
 * What an answer of an authority states about these bytes. That the authority signed it is not checked here:
 * `openssl ts -verify` does, with the certificate that you trust.
 */
export function readTimestamp(answer: Uint8Array, message: Uint8Array): Result<Timestamp, string> {
  try {
    return timestampOf(Buffer.from(answer), message)
  } catch {
    // Bytes from outside that end too early.
    return err('it is no time-stamp')
  }
}

/** Whether an answer is to this query. */
export function answersNonce({ nonce }: Timestamp, asked: Uint8Array): boolean {
  return nonce === positive(asked).toString('hex')
}

function timestampOf(answer: Buffer, message: Uint8Array): Result<Timestamp, string> {
  const whole = readDer(answer)
  if (whole.size !== answer.length) return err('it has bytes after its end')
  const [status, token] = readAllDer(whole.content)
  const code = readDer(status?.content ?? Buffer.alloc(0)).content.at(0) ?? -1
  if (!GRANTED.includes(code) || token === undefined) return err(`the authority refused with status ${code}`)
  const [, , imprint, , time, ...rest] = readAllDer(infoOf(token))
  const [, digest] = readAllDer(imprint?.content ?? Buffer.alloc(0))
  if (digest?.content.equals(digestOf(message)) !== true) return err('it is of another close')
  const at = isoOf(time)
  if (at === null) return err('its time does not parse')
  const nonce = rest.find(({ tag }) => tag === DER.integer)
  return ok({ at, nonce: nonce?.content.toString('hex') ?? null })
}

/** The content of TSTInfo, out of ContentInfo -> SignedData -> EncapsulatedContentInfo. Source: RFC 3161, RFC 5652. */
function infoOf(token: DerElement): Buffer {
  const [kind, wrapped] = readAllDer(token.content)
  const signed = readDer(wrapped?.content ?? Buffer.alloc(0))
  const inner = readAllDer(signed.content).find(
    ({ tag, content }) => tag === DER.sequence && content.at(0) === DER.oid,
  )
  const [infoKind, octets] = readAllDer(inner?.content ?? Buffer.alloc(0))
  if (kind?.content.equals(SIGNED_DATA) !== true || infoKind?.content.equals(TIMESTAMP_INFO) !== true)
    throw new RangeError('it is signed data of another kind')
  const text = readDer(octets?.content ?? Buffer.alloc(0))
  return readDer(text.content).content
}

function isoOf(time: DerElement | undefined): string | null {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/.exec(
    time?.content.toString('latin1') ?? '',
  )
  if (time?.tag !== DER.time || match === null) return null
  const [, year, month, day, hour, minute, second] = match
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
}

/** The shortest bytes of a positive integer. */
function positive(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = Buffer.from(first < 0 ? [0] : bytes.subarray(first))
  return (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits
}

function digestOf(message: Uint8Array): Buffer {
  return createHash('sha256').update(message).digest()
}
