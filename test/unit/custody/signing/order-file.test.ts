import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseOrder, readOrderFile } from '../../../../src/custody/signing/order-file.ts'
import { MAKER, signableOrder } from '../../../support/signing-fixture.ts'

const ORDER = signableOrder()
const JSON_FORM = Object.fromEntries(
  Object.entries(ORDER).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
)

function withField(field: string, value: unknown): string {
  return JSON.stringify({ ...JSON_FORM, [field]: value })
}

function without(field: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(JSON_FORM).filter(([name]) => name !== field)))
}

describe('an order in a file', () => {
  test('is whole numbers as decimal strings, in any order of fields', () => {
    expect(parseOrder(JSON.stringify(JSON_FORM))).toEqual({ ok: true, value: ORDER })
    const reversed = Object.fromEntries(Object.entries(JSON_FORM).toReversed())
    expect(parseOrder(JSON.stringify(reversed))).toEqual({ ok: true, value: ORDER })
  })

  test('may have JSON numbers as long as they are exact, and no pool', () => {
    expect(parseOrder(withField('takerAmount', 1_000_000))).toEqual({ ok: true, value: ORDER })
    expect(parseOrder(without('pool'))).toEqual({ ok: true, value: ORDER })
  })

  test('may have addresses with their checksum, or in capitals, which have none', () => {
    for (const maker of [getAddress(MAKER), `0x${MAKER.slice(2).toUpperCase()}`])
      expect(parseOrder(withField('maker', maker))).toEqual({ ok: true, value: ORDER })
  })

  test('reaches to the limits of its types', () => {
    const limits = { makerAmount: 2n ** 128n - 1n, expiry: 2n ** 64n - 1n, salt: 2n ** 256n - 1n }
    for (const [field, limit] of Object.entries(limits)) {
      expect(parseOrder(withField(field, String(limit)))).toMatchObject({ value: { [field]: limit } })
      expect(parseOrder(withField(field, String(limit + 1n)))).toMatchObject({
        error: expect.stringMatching(new RegExp(`^${field} does not fit uint(64|128|256)$`)),
      })
    }
    expect(parseOrder(withField('salt', '0'))).toMatchObject({ value: { salt: 0n } })
  })
})

describe('a line that names the field', () => {
  const bad: [string, string, string][] = [
    ['no JSON', '{', 'is not JSON'],
    ['a list', '[]', 'is not a JSON object'],
    ['a field too many', withField('nonce', 1), '"nonce" is not a field of an order'],
    ['a field of objects', '{"__proto__":1}', '"__proto__" is not a field of an order'],
    ['a maker of 19 bytes', withField('maker', `0x${'1'.repeat(38)}`), 'maker is not an address'],
    ['a maker without 0x', withField('maker', MAKER.slice(2)), 'maker is not an address'],
    ['a number as maker', withField('maker', 5), 'maker is not an address'],
    ['no maker token', without('makerToken'), 'makerToken is missing'],
    [
      'a mistyped letter',
      withField('taker', getAddress(MAKER).replace('Fd', 'fd')),
      'taker has a wrong checksum',
    ],
    ['the zero address', withField('txOrigin', `0x${'0'.repeat(40)}`), 'txOrigin is the zero address'],
    ['nothing to give', withField('makerAmount', '0'), 'makerAmount is zero'],
    ['nothing to get', withField('takerAmount', 0), 'takerAmount is zero'],
    ['a sign', withField('makerAmount', '-1'), 'makerAmount is not a whole number'],
    ['a negative number', withField('makerAmount', -1), 'makerAmount is not a whole number'],
    ['a fraction', withField('makerAmount', 1.5), 'makerAmount is not a whole number'],
    ['an exponent', withField('makerAmount', '1e18'), 'makerAmount is not a whole number'],
    ['hex', withField('salt', '0x10'), 'salt is not a whole number'],
    ['a blank', withField('salt', ' 1'), 'salt is not a whole number'],
    ['a leading zero', withField('expiry', '01'), 'expiry is not a whole number'],
    ['null', withField('expiry', null), 'expiry is not a whole number'],
    ['a million digits', withField('salt', '9'.repeat(1_000_000)), 'salt is not a whole number'],
    [
      'an unsafe number',
      withField('makerAmount', 2 ** 60),
      'makerAmount is too big for an exact JSON number',
    ],
    ['a pool of 31 bytes', withField('pool', `0x${'0'.repeat(62)}`), 'pool is not 32 bytes'],
  ]

  test.each(bad)('%s', (_what, text, says) => {
    const parsed = parseOrder(text)
    expect(parsed.ok ? '' : parsed.error).toContain(says)
    expect(parsed.ok ? '' : parsed.error).not.toContain('\n')
  })

  test('comes after the name of the file, which may be missing', async () => {
    const read = await readOrderFile('nowhere/order.json')
    expect(read).toEqual({ ok: false, error: 'nowhere/order.json: cannot be read (ENOENT)' })
  })
})
