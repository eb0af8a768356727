import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPrivateKey } from '../../../src/close/sign/private-key.ts'
import { canonicalArmour, signMessage, verifySignature } from '../../../src/close/sign/ssh-signature.ts'
import { needs } from '../../support/needs.ts'
import { freshFolder } from '../../unit/close/close-fixture.ts'

const MESSAGE = Buffer.from('{"a":"1"}')
const KINDS = [
  ['ed25519', []],
  ['rsa', ['-b', '2048']],
  ['ecdsa', ['-b', '256']],
  ['ecdsa', ['-b', '384']],
  ['ecdsa', ['-b', '521']],
] as const

function newKey(kind: string, more: readonly string[], passphrase = ''): string {
  const path = join(freshFolder(), 'key')
  execFileSync('ssh-keygen', ['-q', '-t', kind, ...more, '-N', passphrase, '-C', 'auditor', '-f', path])
  return path
}

function signedWith(path: string): string {
  const key = readPrivateKey(readFileSync(path, 'utf8'))
  if (!key.ok) throw new Error(key.error.message)
  const signed = signMessage(key.value, MESSAGE)
  if (!signed.ok) throw new Error(signed.error)
  return signed.value
}

describe.skipIf(needs('ssh-keygen'))('beside ssh-keygen', () => {
  test.each(KINDS)(
    'a signature by a key of kind %s %s is accepted there, and one made there is accepted here',
    (kind, more) => {
      const path = newKey(kind, more)
      const folder = freshFolder()
      const [signature, signers] = [join(folder, 'sig'), join(folder, 'signers')]
      writeFileSync(signature, signedWith(path))
      writeFileSync(signers, `amina namespaces="mizani-close" ${readFileSync(`${path}.pub`, 'utf8')}`)
      const verify = ['-Y', 'verify', '-f', signers, '-I', 'amina', '-n', 'mizani-close', '-s', signature]
      expect(spawnSync('ssh-keygen', verify, { input: MESSAGE }).status).toBe(0)
      expect(spawnSync('ssh-keygen', verify, { input: 'another message' }).status).not.toBe(0)
      const theirs = execFileSync('ssh-keygen', ['-Y', 'sign', '-n', 'mizani-close', '-f', path], {
        input: MESSAGE,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      const verified = verifySignature(canonicalArmour(theirs) ?? '', MESSAGE)
      const [, name] = execFileSync('ssh-keygen', ['-l', '-f', path], { encoding: 'utf8' }).split(' ')
      expect(verified).toMatchObject({ ok: true, value: { fingerprint: name } })
    },
  )

  test('an encrypted key and a public one are left to ssh-keygen, a short RSA key is refused', () => {
    const encrypted = readPrivateKey(readFileSync(newKey('ed25519', [], 'a passphrase'), 'utf8'))
    expect(encrypted).toMatchObject({ ok: false, error: { kind: 'elsewhere' } })
    const open = newKey('ed25519', [])
    expect(readPrivateKey(readFileSync(`${open}.pub`, 'utf8'))).toMatchObject({
      ok: false,
      error: { kind: 'elsewhere' },
    })
    const short = readPrivateKey(readFileSync(newKey('rsa', ['-b', '1024']), 'utf8'))
    if (!short.ok) throw new Error('it parses')
    expect(signMessage(short.value, MESSAGE)).toEqual({ ok: false, error: 'an RSA key needs 2048 bits' })
  })

  test('a signature for another purpose does not count', () => {
    const path = newKey('ed25519', [])
    chmodSync(path, 0o600)
    const other = execFileSync('ssh-keygen', ['-Y', 'sign', '-n', 'git', '-f', path], {
      input: MESSAGE,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    expect(verifySignature(other, MESSAGE)).toEqual({
      ok: false,
      error: 'it was made for "git", not for mizani-close',
    })
  })
})
