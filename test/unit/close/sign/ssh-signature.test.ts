import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPrivateKey } from '../../../../src/close/sign/private-key.ts'
import { canonicalArmour, signMessage, verifySignature } from '../../../../src/close/sign/ssh-signature.ts'
import { needs } from '../../../support/needs.ts'
import { freshFolder, KEY } from '../close-fixture.ts'

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

describe('a signature', () => {
  const signed = signMessage(KEY, MESSAGE)
  const armour = signed.ok ? signed.value : ''

  test('holds for its message, and for no text with another byte in either', () => {
    expect(verifySignature(armour, MESSAGE).ok).toBe(true)
    fc.assert(
      fc.property(fc.nat(armour.length - 1), fc.integer({ min: 1, max: 127 }), (at, flip) => {
        const bytes = Buffer.from(armour)
        bytes[at] = (bytes[at] ?? 0) ^ flip
        expect(verifySignature(bytes.toString('latin1'), MESSAGE).ok).toBe(false)
      }),
    )
    expect(verifySignature(armour, Buffer.from('{"a":"2"}')).ok).toBe(false)
    expect(verifySignature(`${armour}\n`, MESSAGE).ok).toBe(false)
    expect(verifySignature('', MESSAGE)).toEqual({ ok: false, error: 'it is no SSH signature' })
  })

  test('is refused with words for a key that does not sign here', () => {
    const { privateKey } = generateKeyPairSync('ed448')
    const refused = signMessage(privateKey, MESSAGE)
    expect(refused.ok ? '' : refused.error).toContain('use ssh-ed25519, ssh-rsa')
  })

  test('is made with no file that is no OpenSSH key, whatever its bytes', () => {
    const frame = (text: string) =>
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${text}\n-----END OPENSSH PRIVATE KEY-----\n`
    expect(readPrivateKey('hello')).toMatchObject({ ok: false, error: { kind: 'unsupported' } })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const head = Buffer.from('openssh-key-v1\0')
        const text = Buffer.concat([head, bytes]).toString('base64')
        expect(readPrivateKey(frame(text)).ok).toBe(false)
      }),
    )
  })
})
