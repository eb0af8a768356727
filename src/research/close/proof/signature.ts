import { resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { withScratch } from './program.ts'

/** Namespace of close signatures; a signature of another namespace is rejected. */
const NAMESPACE = 'mizani-close'
/** A smaller RSA key is within reach of a patient attacker. */
const MIN_RSA_BITS = 2048

/** Signs the bytes of a close; the error is a sentence. */
export type Signer = (message: Uint8Array) => Result<string, string>

/**
 * Returns a signer for an SSH key file. It uses `ssh-keygen`, which takes a key from an agent and asks a person for a
 * passphrase. Errors for a file that `ssh-keygen` does not accept as a key, and for a short RSA key.
 */
export function openCloseSigner(path: string): Result<Signer, string> {
  // Absolute, so that no name is parsed as an option.
  const file = resolve(path)
  const listed = withScratch({}, ({ run }) => run('ssh-keygen', ['-l', '-f', file]))
  if (!listed.ok)
    return err(`the key ${path} cannot sign (${listed.error}); \`ssh-keygen -t ed25519\` makes one that can`)
  const [bits] = listed.value.split(' ')
  if (/\(RSA\)\s*$/.test(listed.value) && Number(bits) < MIN_RSA_BITS)
    return err(`the key ${path} cannot sign: an RSA key needs ${MIN_RSA_BITS} bits, but it has ${bits}`)
  return ok((message) => {
    const signed = withScratch({ close: message }, ({ run, read }) => {
      const made = run('ssh-keygen', ['-Y', 'sign', '-n', NAMESPACE, '-f', file, 'close'], 'person')
      return made.ok ? ok(read('close.sig').toString('utf8')) : made
    })
    return signed.ok ? signed : err(`the key ${path} did not sign (${signed.error})`)
  })
}

/** The signing key, in the format of `ssh-keygen -l`. */
export type Signed = {
  readonly fingerprint: string
  /** The principal whose line allows the key at that time; null = none, or no signers' file was given. */
  readonly signer: string | null
  /** Why no line allows it, as worded by `ssh-keygen`. */
  readonly refusal: string
}

/**
 * Returns the signing key and the signer in the signers' file who may use it at the time `at`. The error explains why the
 * signature does not match exactly these bytes. Source of the file: ssh-keygen(1), ALLOWED SIGNERS.
 */
export function verifySignature(
  message: Uint8Array,
  armour: Uint8Array,
  at: Ms,
  signers: Buffer | null,
): Result<Signed, string> {
  const files = { close: message, signature: armour, signers: signers ?? Buffer.alloc(0) }
  return withScratch(files, ({ run }) => {
    const check = (mode: string, ...more: readonly string[]) =>
      run('ssh-keygen', ['-Y', mode, '-n', NAMESPACE, '-s', 'signature', ...more], { file: 'close' })
    const file = ['-f', 'signers', '-O', `verify-time=${timeOf(at)}`]
    const found = signers === null ? err('') : check('find-principals', ...file)
    let refusal = found.ok ? '' : found.error
    // `find-principals` stops at the first line with the key, which may be for another namespace.
    const named = found.ok ? [...found.value.split('\n'), ...principalsOf(String(signers))] : []
    for (const name of new Set(named.filter((one) => one !== ''))) {
      const verified = check('verify', ...file, '-I', name)
      if (verified.ok) return ok<Signed>({ fingerprint: keyIn(verified.value), signer: name, refusal: '' })
      refusal = verified.error
    }
    const any = check('check-novalidate')
    return any.ok ? ok<Signed>({ fingerprint: keyIn(any.value), signer: null, refusal }) : any
  })
}

/** Returns the principals of all lines of a signers' file. */
export function principalsOf(text: string): readonly string[] {
  const fields = text.split(/\r?\n/).map((line) => /^\s*(?:"([^"]*)"|([^\s#]\S*))/.exec(line))
  return fields.flatMap((field) => (field?.[1] ?? field?.[2] ?? '').split(','))
}

function keyIn(printed: string): string {
  return /key (SHA256:\S+)\s*$/.exec(printed)?.[1] ?? 'an unknown key'
}

/** Returns a time in the format of `verify-time`, in UTC: `20261122093000Z`. */
function timeOf(at: Ms): string {
  return `${new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`
}
