import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { PrivateKey } from '../../../../../src/custody/signing/local/private-key.ts'
import { KEY, privateKey } from '../../../../support/signing-fixture.ts'

const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

describe('a private key', () => {
  test.each([KEY, KEY.slice(2), `  ${KEY.toUpperCase().replace('0X', '0x')}\n`])(
    'is read from %j',
    (text) => {
      const key = PrivateKey.parse(text)
      expect(key.ok && key.value.use((bytes) => Buffer.from(bytes).toString('hex'))).toBe(KEY.slice(2))
    },
  )

  test.each([
    ['nothing', ''],
    ['63 digits', KEY.slice(0, -1)],
    ['65 digits', `${KEY}0`],
    ['a letter that is no digit', KEY.replace('a', 'g')],
    ['zero', '0'.repeat(64)],
    ['the order of the group', ORDER],
    ['all ones', 'f'.repeat(64)],
  ])('is not made of %s, and the reason does not repeat it', (_what, text) => {
    const key = PrivateKey.parse(text)
    expect(key.ok).toBe(false)
    if (text.length > 10) expect(key.ok ? '' : key.error).not.toContain(text.slice(4, 12))
  })

  test('prints as a word, no matter who prints it', () => {
    const key = privateKey()
    const printed = [String(key), JSON.stringify({ key }), inspect({ key }, { depth: 9, showHidden: true })]
    for (const text of printed) expect(text).toContain('[private key]')
    for (const text of printed) expect(text).not.toContain(KEY.slice(2, 10))
    expect(Object.keys(key)).toEqual([])
  })

  test('is zero after it was wiped', () => {
    const key = privateKey()
    key.wipe()
    expect(key.use((bytes) => bytes.every((byte) => byte === 0))).toBe(true)
  })
})
