import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shownAge, shownDecimal, numberText, shownTime } from '../../../../../src/daemon/console/page/text.ts'
import { timeTicks } from '../../../../../src/base/text/times.ts'
import { priceAt } from '../../../../../src/daemon/console/page/quote/ruler.tsx'

describe('exact decimal text for reading', () => {
  test.each([
    ['1234567.891', 2, '1,234,567.89'],
    ['-1234567.895', 2, '−1,234,567.90'],
    ['0.005', 2, '0.01'],
    ['-0.004', 2, '0.00'],
    ['999.999', 2, '1,000.00'],
    ['12', 0, '12'],
    ['12.5', 0, '13'],
    ['100000000000000000000000000000.1', 1, '100,000,000,000,000,000,000,000,000,000.1'],
  ])('%s with %i digits is %s', (text, digits, shown) => {
    expect(shownDecimal(text, digits)).toBe(shown)
  })

  test('a sign is shown where it is asked for, but not on zero', () => {
    expect([shownDecimal('3', 1, true), shownDecimal('-3', 1, true), shownDecimal('0.01', 1, true)]).toEqual([
      '+3.0',
      '−3.0',
      '0.0',
    ])
  })

  test('what is no decimal is shown as it came, and what is missing as a dash', () => {
    expect([
      shownDecimal('1e5', 2),
      shownDecimal('<b>', 2),
      shownDecimal(null, 2),
      shownDecimal(undefined, 2),
    ]).toEqual(['1e5', '<b>', '–', '–'])
  })

  test('says what the integers say: no digit goes through a float', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.integer({ min: 1, max: 36 }),
        (units, scale) => {
          const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
          const text = `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
          const read = shownDecimal(text, scale).replaceAll(',', '').replace('−', '-')
          expect(BigInt(read.replace('.', ''))).toBe(units)
        },
      ),
    )
  })
})

test('a float that is not finite is a dash, never NaN', () => {
  const shown = [Number.NaN, Number.POSITIVE_INFINITY, null, undefined].map((value) => numberText(value, 2))
  expect(shown).toEqual(['–', '–', '–', '–'])
  expect([numberText(-1234.5, 1), numberText(-0.01, 1, true), numberText(7, 0, true)]).toEqual([
    '−1,234.5',
    '0.0',
    '+7',
  ])
})

test.each([
  [0, '0s'],
  [-500, '0s'],
  [59_999, '59s'],
  [60_000, '1m 0s'],
  [3_600_000, '1h 0m'],
  [7_500_000, '2h 5m'],
  [90_000_000, '1d 1h'],
  [null, '–'],
])('%s ms is an age of %s', (ms, text) => {
  expect(shownAge(ms)).toBe(text)
})

test('a moment of another day says which', () => {
  const now = Date.UTC(2026, 10, 21, 0, 0, 1)
  expect([shownTime(now, now), shownTime(now - 2_000, now), shownTime(null, now)]).toEqual([
    '00:00:01',
    '20 Nov 23:59:59',
    '–',
  ])
})

test('an axis names the day where it begins and the year once', () => {
  const t = Date.UTC(2026, 11, 31, 18)
  const hours = [0, 6, 12].map((hour) => t + hour * 3_600_000)
  expect(timeTicks(hours, 6 * 3_600_000)).toEqual(['18:00\n31 Dec', '00:00\n1 Jan', '06:00'])
  const days = [0, 1, 2].map((day) => t + day * 86_400_000)
  expect(timeTicks(days, 86_400_000)).toEqual(['31 Dec\n2026', '1 Jan\n2027', '2 Jan'])
})

test('a bid sells dollars above the mid and an ask buys them below it, to the last digit', () => {
  expect(shownDecimal(priceAt('2600', 50, 'bid'), 2)).toBe('2,613.00')
  expect(shownDecimal(priceAt('2600.25', 70, 'ask'), 6)).toBe('2,582.048250')
  expect([
    priceAt(null, 50, 'bid'),
    priceAt('2600', null, 'bid'),
    priceAt('2600', 1.5, 'ask'),
    priceAt('x', 5, 'ask'),
  ]).toEqual([null, null, null, null])
})
