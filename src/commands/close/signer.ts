import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { err, ok, type Result } from '../../base/result.ts'
import { readPrivateKey } from '../../close/sign/private-key.ts'
import { canonicalArmour, NAMESPACE, signMessage, verifySignature } from '../../close/sign/ssh-signature.ts'

/** Signs the bytes of a close; the error is a sentence. */
export type Signer = (message: Uint8Array) => Result<string, string>

/**
 * Signs with an SSH key file. Where the key is encrypted, or the file is the public half of one that an agent holds,
 * `ssh-keygen` signs and asks for the passphrase.
 */
export function openSigner(path: string): Result<Signer, string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return err(`the key ${path} cannot be read (${code ?? message})`)
  }
  const key = readPrivateKey(text)
  if (key.ok) return ok((message) => signMessage(key.value, message))
  const { kind, message } = key.error
  if (kind === 'unsupported') return err(`the key ${path} cannot sign: ${message}`)
  return ok((bytes) => signElsewhere(path, bytes, message))
}

function signElsewhere(path: string, message: Uint8Array, why: string): Result<string, string> {
  const { error, status, stdout } = spawnSync('ssh-keygen', ['-Y', 'sign', '-n', NAMESPACE, '-f', path], {
    input: message,
    // It asks for the passphrase at the terminal, and explains there what goes wrong.
    stdio: ['pipe', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (error !== undefined)
    return err(
      `${why}, and ssh-keygen cannot be started (${error.message}): install OpenSSH, or use another key`,
    )
  const armour = status === 0 ? canonicalArmour(stdout) : null
  if (armour === null) return err(`${why}, and ssh-keygen did not sign`)
  const verified = verifySignature(armour, message)
  return verified.ok ? ok(armour) : err(`what ssh-keygen signed does not hold: ${verified.error}`)
}
