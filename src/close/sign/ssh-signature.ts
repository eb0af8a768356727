import { createHash, type KeyObject } from 'node:crypto'
import { err, ok, type Result } from '../../base/result.ts'
import { fingerprint, isSignedBy, KEY_KINDS, publicBlob, readPublicKey, signBlob } from './public-key.ts'
import { WireReader, wireNumber, wireString } from './wire.ts'

/** What a signature of a close is for: one of another namespace does not count. */
export const NAMESPACE = 'mizani-close'

const MAGIC = 'SSHSIG'
const VERSION = 1
const LINE = 70
const [BEGIN, END] = ['-----BEGIN SSH SIGNATURE-----', '-----END SSH SIGNATURE-----']

/** Whose key signed: its wire form, and its name as `ssh-keygen -l` prints it. */
export type Signer = { readonly blob: Buffer; readonly fingerprint: string }

/** An armoured SSHSIG over `message`, which `ssh-keygen -Y verify -n mizani-close` accepts. Source: PROTOCOL.sshsig of OpenSSH. */
export function signMessage(key: KeyObject, message: Uint8Array): Result<string, string> {
  const blob = publicBlob(key)
  if (blob === null) return err(`a key of this kind does not sign here; use ${KEY_KINDS}`)
  const known = readPublicKey(blob)
  if (!known.ok) return known
  const signature = signBlob(key, signedBytes('sha512', message))
  return ok(armoured({ blob, digest: 'sha512', signature }))
}

/** Whose signature this is, over exactly these bytes; an error is why it is none. No other text of the same signature passes. */
export function verifySignature(armour: string, message: Uint8Array): Result<Signer, string> {
  const parts = readArmour(armour)
  if (parts === null) return err('it is no SSH signature')
  if (parts.namespace !== NAMESPACE)
    return err(`it was made for ${JSON.stringify(parts.namespace)}, not for ${NAMESPACE}`)
  if (armoured(parts) !== armour) return err('its text is not as it was written')
  const key = readPublicKey(parts.blob)
  if (!key.ok) return key
  if (!isSignedBy(key.value, signedBytes(parts.digest, message), parts.signature))
    return err('it is not over this close')
  return ok({ blob: parts.blob, fingerprint: fingerprint(parts.blob) })
}

/** The same signature in the text that `verifySignature` accepts, from the text of another program. */
export function canonicalArmour(text: string): string | null {
  const parts = readArmour(text)
  return parts === null ? null : armoured(parts)
}

type Parts = {
  readonly blob: Buffer
  readonly digest: 'sha256' | 'sha512'
  readonly signature: Buffer
}

function readArmour(text: string): (Parts & { readonly namespace: string }) | null {
  const lines = text.trim().split(/\r?\n/)
  if (lines[0] !== BEGIN || lines.at(-1) !== END) return null
  try {
    const reader = new WireReader(Buffer.from(lines.slice(1, -1).join(''), 'base64'))
    if (reader.take(MAGIC.length).toString('latin1') !== MAGIC || reader.number() !== VERSION) return null
    const [blob, namespace] = [reader.string(), reader.text()]
    // Reserved, and empty today.
    reader.string()
    const digest = reader.text()
    const signature = reader.string()
    if (!reader.isAtEnd() || (digest !== 'sha256' && digest !== 'sha512')) return null
    return { blob, namespace, digest, signature }
  } catch {
    // Bytes from outside that end too early are no signature.
    return null
  }
}

function armoured({ blob, digest, signature }: Parts): string {
  const bytes = Buffer.concat([
    Buffer.from(MAGIC),
    wireNumber(VERSION),
    wireString(blob),
    wireString(NAMESPACE),
    wireString(''),
    wireString(digest),
    wireString(signature),
  ])
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  return `${[BEGIN, ...lines, END].join('\n')}\n`
}

function signedBytes(digest: 'sha256' | 'sha512', message: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(MAGIC),
    wireString(NAMESPACE),
    wireString(''),
    wireString(digest),
    wireString(createHash(digest).update(message).digest()),
  ])
}
