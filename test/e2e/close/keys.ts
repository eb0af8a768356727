import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCloseSigner } from '../../../src/research/close/proof/signature.ts'
import { freshFolder } from '../../unit/research/close/close-fixture.ts'

/** Makes a key by `ssh-keygen`; `of` are its options, such as `-t ecdsa -b 384`. */
export function newKey(of = '-t ed25519', { name = 'key', passphrase = '' } = {}) {
  const path = join(freshFolder(), name)
  execFileSync('ssh-keygen', ['-q', ...of.split(' '), '-N', passphrase, '-C', 'auditor', '-f', path])
  return { path, publicKey: readFileSync(`${path}.pub`, 'utf8').trim() }
}

export function signedBy(path: string, message: Uint8Array): Buffer {
  const signer = openCloseSigner(path)
  const signed = signer.ok ? signer.value(message) : signer
  if (!signed.ok) throw new Error(signed.error)
  return Buffer.from(signed.value)
}

/** What an unsuccessful signature reports. */
export function whyUnsigned(path: string): string {
  const signer = openCloseSigner(path)
  const signed = signer.ok ? signer.value(Buffer.from('{}')) : signer
  if (signed.ok) throw new Error('it signed')
  return signed.error
}
