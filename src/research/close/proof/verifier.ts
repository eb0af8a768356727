import type { Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { isoText } from '../../../base/text/times.ts'
import { type Signed, verifySignature } from './signature.ts'
import { verifyTimestamp } from './timestamp.ts'

/** Verifies signatures and time-stamps of closes: with external programs, or by calculation in tests. */
export type Verifier = {
  /** Requires a signature by a key of the signers' file on every close. */
  readonly hasSigners: boolean
  /** Requires a time-stamp of a trusted authority on every close. */
  readonly hasAuthority: boolean
  readonly signature: (message: Uint8Array, armour: Uint8Array, at: Ms) => Result<Signed, string>
  /** Returns when an authority saw the message. */
  readonly timestamp: (message: Uint8Array, answer: Uint8Array) => Result<Ms, string>
}

/** Verifies with an auditor's trusted signers and certificates; null = identities are not checked. */
export function openVerifier(signers: Buffer | null, authority: Buffer | null): Verifier {
  return {
    hasSigners: signers !== null,
    hasAuthority: authority !== null,
    signature: (message, armour, at) => verifySignature(message, armour, at, signers),
    timestamp: (message, answer) => verifyTimestamp(message, answer, authority),
  }
}

export type SignatureReport = {
  /** The signing key, in the format of `ssh-keygen -l`; null = not signed. */
  readonly signedBy: string | null
  /** The signer's name in the signers' file; null = not checked, or not in the file. */
  readonly signer: string | null
  readonly problems: readonly string[]
}

/** Verifies the signature of the file `document`, whose key must be allowed at the time `at`. */
export function checkSignature(
  files: ReadonlyMap<string, Buffer>,
  document: string,
  at: Ms,
  { hasSigners, signature }: Verifier,
): SignatureReport {
  const name = `${document}.sig`
  const [message, armour] = [files.get(document), files.get(name)]
  const none = { signedBy: null, signer: null }
  if (message === undefined || armour === undefined)
    return { ...none, problems: hasSigners ? [`${document} is not signed`] : [] }
  const signed = signature(message, armour, at)
  if (!signed.ok) return { ...none, problems: [`${name} does not hold: ${signed.error}`] }
  const { fingerprint: signedBy, signer, refusal } = signed.value
  const refused = `${name} is by ${signedBy}, which the signers' file does not allow at ${isoText(at)} (${refusal})`
  return { signedBy, signer, problems: hasSigners && signer === null ? [refused] : [] }
}
