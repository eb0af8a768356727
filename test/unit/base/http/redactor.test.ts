import { expect, test } from 'vitest'
import { createRedactor } from '../../../../src/base/http/redactor.ts'

const redact = createRedactor(['mm_live_a/b"c'])

test('a key is taken out however JSON writes it', () => {
  for (const text of [
    'x mm_live_a/b"c y',
    'x mm_live_a\\/b\\"c y',
    'x \\u006dm_live_a/b\\"c y',
    'x mm_live_a\\u002Fb\\"c y',
  ]) {
    expect(redact(text)).toBe('x [redacted] y')
  }
})

test('text without the key stays as it was, escapes and all', () => {
  const text = '{"a":"\\u0041\\/\\\\u0041\\u00e9\\n"}'
  expect(redact(text)).toBe(text)
})

test('what is left after redaction is still the same JSON', () => {
  const text = '{"a":"\\u0022\\u005c\\u0041","k":"mm_live_a\\/b\\"c"}'
  expect(JSON.parse(redact(text))).toEqual({ a: '"\\A', k: '[redacted]' })
})

test('a key so short that it is in innocent text is left alone, or every answer would be spoilt', () => {
  expect(createRedactor(['a'])('{"a":1}')).toBe('{"a":1}')
})
