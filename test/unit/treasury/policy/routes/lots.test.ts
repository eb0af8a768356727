import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distinctAmount, splitLots } from '../../../../../src/treasury/policy/routes/lots.ts'

const rule = { least: 5_000n, most: 999_999n, grain: 1n }

test('40 million are 41 lots, the fewest that stay below a million', () => {
  const lots = splitLots(40_000_000n, rule, [], 60)
  expect(lots).toHaveLength(41)
  expect(lots?.reduce((sum, lot) => sum + lot, 0n)).toBe(40_000_000n)
})

test('lots have the exact sum, stay within the rail, and differ from each other and from taken amounts', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 60_000_000n }),
      fc.array(fc.bigInt({ min: 5_000n, max: 999_999n }), { maxLength: 40 }),
      fc.constantFrom(1n, 1_000n),
      (wanted, taken, grain) => {
        const total = wanted - (wanted % grain)
        const lots = splitLots(total, { ...rule, grain }, taken, 80)
        if (lots === null) {
          // Only sums below the least, or single ones that are taken and too small to divide.
          expect(total < 5_000n || total < 10_020n || taken.includes(total)).toBe(true)
          return
        }
        expect(lots.reduce((sum, lot) => sum + lot, 0n)).toBe(total)
        expect(new Set([...lots, ...taken]).size).toBe(lots.length + new Set(taken).size)
        for (const lot of lots) {
          expect(lot).toBeGreaterThanOrEqual(5_000n)
          expect(lot).toBeLessThanOrEqual(999_999n)
          expect(lot % grain).toBe(0n)
        }
      },
    ),
  )
})

test('a sum that needs too many lots, or parts of a grain, cannot be split', () => {
  expect(splitLots(40_000_000n, rule, [], 40)).toBe(null)
  expect(splitLots(1_500n, { ...rule, grain: 1_000n }, [], 40)).toBe(null)
  expect(splitLots(0n, rule, [], 40)).toBe(null)
})

test('a taken amount is replaced by the next one below', () => {
  expect(distinctAmount(10n, 1n, [10n, 9n, 7n])).toBe(8n)
  expect(distinctAmount(10n, 1n, [])).toBe(10n)
})
