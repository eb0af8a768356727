import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPrivateKey } from '../../../../src/close/sign/private-key.ts'
import { signMessage, verifySignature } from '../../../../src/close/sign/ssh-signature.ts'
import { KEY } from '../close-fixture.ts'

const MESSAGE = Buffer.from('{"a":"1"}')
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
