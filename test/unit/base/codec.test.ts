import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeJson, encodeJson } from '../../../src/base/codec.ts'

describe('JSON that keeps bigint', () => {
  it('reads back what it wrote, bigints as bigints', () => {
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constant(null),
        fc.boolean(),
        fc.integer(),
        fc.string(),
        fc.bigInt(),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__' && key !== '$n'),
          tie('any'),
          {
            maxKeys: 4,
            noNullPrototype: true,
          },
        ),
      ),
    })).any
    fc.assert(
      fc.property(value, (any) => {
        expect(decodeJson(encodeJson(any))).toEqual(any)
      }),
    )
  })

  it('a figure too large for a number keeps every digit', () => {
    expect(decodeJson(encodeJson({ held: -(2n ** 255n) }))).toEqual({ held: -(2n ** 255n) })
  })

  it("leaves someone else's $n alone instead of tripping over it", () => {
    for (const params of [{ $n: 'many' }, { $n: '5', more: 1 }, { $n: '0x10' }, { $n: '' }, { $n: 5 }]) {
      expect(decodeJson(encodeJson(params))).toEqual(params)
    }
  })
})
