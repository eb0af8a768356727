import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ASSETS } from '../../../../src/base/money/asset.ts'
import {
  bookingOf,
  differenceText,
  isSameDifference,
  parseDifference,
} from '../../../../src/base/money/difference.ts'

test('a difference that is written is read back equal', () => {
  const amount = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).filter((units) => units !== 0n)
  const differences = fc.dictionary(fc.constantFrom(...ASSETS), amount, { minKeys: 1 })
  fc.assert(
    fc.property(differences, (difference) => {
      const read = parseDifference(differenceText(difference))
      expect(read.ok && isSameDifference(read.value, difference)).toBe(true)
    }),
  )
})

test('a difference is read in any order and case, with a plus sign or without', () => {
  expect(parseDifference(' -1.5 usdc,+5 NTZS')).toEqual({
    ok: true,
    value: { USDC: -15n * 10n ** 17n, NTZS: 5n * 10n ** 18n },
  })
})

test.each([
  '',
  'USDC',
  '5',
  '5 EUR',
  '1 USDC, 2 USDC',
  '1 USDC 2',
  '1e3 USDC',
  'NaN USDC',
  '0.0000000000000000001 USDC',
])('%j is no difference', (text) => {
  expect(parseDifference(text).ok).toBe(false)
})

test('a difference is booked as what it is: what came as a deposit, what left as a withdrawal, both as an adjustment', () => {
  expect(bookingOf({ USDC: 5n })).toBe('deposit')
  expect(bookingOf({ USDC: -5n, NTZS: 0n })).toBe('withdrawal')
  expect(bookingOf({ USDC: -5n, NTZS: 1n })).toBe('adjustment')
})
