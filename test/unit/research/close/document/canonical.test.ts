import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, readCanonical } from '../../../../../src/research/close/document/canonical.ts'
import { anyCharacter } from '../../../../support/any-character.ts'

describe('canonical JSON', () => {
  test('sorts keys by their UTF-16 units and escapes as RFC 8785 does', () => {
    // The keys of the sorting example of RFC 8785, section 3.2.3.
    const value = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 }
    expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}')
    expect(canonicalJson({ b: [true, null, -1], a: '\u0007/"\\' })).toBe(
      '{"a":"\\u0007/\\"\\\\","b":[true,null,-1]}',
    )
  })

  test('refuses what has no exact form: fractions, large integers, half a surrogate pair, undefined', () => {
    for (const value of [0.5, 2 ** 53, Number.NaN, '\ud800', undefined, 1n, { a: undefined }])
      expect(() => canonicalJson(value)).toThrow(TypeError)
  })

  test('reads back every value that it writes, and no other text of the same value', () => {
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed()),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
      ),
    })).value
    fc.assert(
      fc.property(values, (value) => {
        const text = canonicalJson(value)
        expect(readCanonical(text)?.value).toEqual(JSON.parse(text))
        expect(readCanonical(` ${text}`)).toBeNull()
      }),
    )
    for (const text of ['{"a":1,"a":2}', '{"b":1,"a":2}', '[1.0]', '"\\u0041"', '[1,]', 'nothing'])
      expect(readCanonical(text)).toBeNull()
  })
})
