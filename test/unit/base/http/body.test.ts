import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { momentOf, oneLine, parseBody, readRefusal, repeatedField } from '../../../../src/base/http/body.ts'
import { anyCharacter } from '../../../support/any-character.ts'

describe('the JSON of a body', () => {
  test('keeps a number that a double would change as its text, where numbers are read exactly', () => {
    const text = '{"a":9007199254740993,"b":0.1,"c":1.50,"d":[1e400,-0],"e":"1.50"}'
    expect(parseBody(text, 'exact')).toEqual({
      ok: true,
      value: { a: '9007199254740993', b: 0.1, c: '1.50', d: ['1e400', '-0'], e: '1.50' },
    })
    expect(parseBody(text)).toMatchObject({ ok: true, value: { a: 9_007_199_254_740_992, c: 1.5 } })
  })

  test('is the same both ways for every document whose numbers are whole and safe', () => {
    const whole = (_: string, value: unknown) =>
      typeof value === 'number' ? Math.trunc(value) % Number.MAX_SAFE_INTEGER : value
    const json = fc
      .jsonValue({ stringUnit: anyCharacter })
      .map((value): unknown => JSON.parse(JSON.stringify(value), whole))
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value)
        if (text.startsWith('"') || text === '') return
        expect(parseBody(text, 'exact')).toEqual(parseBody(text))
      }),
    )
  })

  test.each([
    ['', 'an empty body'],
    ['  <html>', 'an HTML page'],
    ['{"a":', 'not JSON'],
    ['['.repeat(65), 'JSON nested too deep'],
  ])('of %j is %s', (text, words) => {
    expect(parseBody(text, 'exact')).toEqual({ ok: false, error: words })
  })
})

describe('a field that an object has twice', () => {
  test.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', null],
    ['{"a":"b","b":"a"}', null],
    ['["a","a"]', null],
    ['{"a":1 , "a" : 2}', 'a'],
    ['{"x":[{"a":1,"\\u0061":2}]}', 'a'],
    ['{"say \\"a\\":":1,"a":2}', null],
  ])('of %s is %j', (text, name) => {
    expect(repeatedField(text)).toBe(name)
  })

  test('is found in no text that JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
        expect(repeatedField(JSON.stringify(value))).toBeNull()
      }),
    )
  })
})

describe('a refusal', () => {
  test.each([
    [{ error: 'invalid_amount', message: 'Too small.' }, 'invalid_amount', 'Too small.', 'code'],
    [
      { error: 'The NIDA is taken.', code: 'nida_already_registered' },
      'nida_already_registered',
      'The NIDA is taken.',
      'code',
    ],
    [{ error: 'A valid API key is required' }, null, 'A valid API key is required', 'sentence'],
    [{ error: { code: 'UNAUTHORIZED' } }, 'UNAUTHORIZED', '', 'code'],
    [{}, null, '{}', null],
    [{ error: { reason: 7 } }, null, '{"error":{"reason":7}}', null],
    ['Bad gateway', null, 'Bad gateway', 'text'],
    ['"Missing or invalid API key"', null, 'Missing or invalid API key', 'text'],
    ['{"error":"cut', null, '{"error":"cut', null],
    [' ', null, 'an empty body', null],
    ['', null, 'an empty body', null],
    ['<html>', null, 'an HTML page', null],
    [
      '<!DOCTYPE html><head><style>p{}</style><script>x()</script><title>404:\n not found</title></head>',
      null,
      'an HTML page: 404: not found',
      null,
    ],
  ])('of %j has the code %s, the words %j and the form %s', (body, code, words, form) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    expect(readRefusal(text)).toMatchObject({ code, words, form })
  })

  test('of anything at all is read, on one line and short', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.json()), (text) => {
        const { words } = readRefusal(text)
        expect(words.length).toBeLessThanOrEqual(203)
        expect(words).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      }),
    )
    expect(oneLine('a\n\u202Eb\u0000c')).toBe('a b c')
  })
})

test('a moment has its zone, and nothing else is one', () => {
  expect(momentOf('2026-11-18T06:40:00Z')).toBe(Date.UTC(2026, 10, 18, 6, 40))
  expect(momentOf('2026-11-18T09:40:00+03:00')).toBe(Date.UTC(2026, 10, 18, 6, 40))
  for (const value of [
    '2026-11-18T06:40:00',
    '2026-11-18',
    1_763_448_000,
    null,
    'soon',
    '2026-13-45T99:00:00Z',
  ])
    expect(momentOf(value)).toBeNull()
})
