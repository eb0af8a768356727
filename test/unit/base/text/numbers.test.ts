import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countText,
  decimalText,
  floatText,
  intervalText,
  percentText,
  roundToSum,
} from '../../../../src/base/text/numbers.ts'

const Wide = Decimal.clone({ precision: 200, toExpPos: 200, toExpNeg: -200 })
const exactText = fc
  .tuple(fc.bigInt({ min: -(10n ** 50n), max: 10n ** 50n }), fc.integer({ min: 0, max: 54 }))
  .map(([units, decimals]) => new Wide(`${units}e-${decimals}`).toFixed())

describe('exact decimals for reading', () => {
  test('decimalText rounds half away from zero and groups thousands', () => {
    expect(decimalText('1234567.895', 2)).toBe('1,234,567.90')
    expect(decimalText('41783552.413568310400000001', 2)).toBe('41,783,552.41')
    expect(decimalText('-0.004', 2)).toBe('0.00')
    expect(decimalText('999', 0)).toBe('999')
    expect(decimalText('12.5', 2, 'plus')).toBe('+12.50')
    expect(decimalText('-1000', 2, 'plus')).toBe('-1,000.00')
    expect(decimalText('0', 2, 'plus')).toBe('0.00')
  })

  test('decimalText keeps digits that a float would lose', () => {
    expect(decimalText('90071992547409931234.56', 2)).toBe('90,071,992,547,409,931,234.56')
  })
})

test('a text that is no decimal is returned as it is', () => {
  expect([decimalText('1e5', 2), decimalText('<b>', 2)]).toEqual(['1e5', '<b>'])
})

test('floatText rounds a float by its shortest decimal, as exact arithmetic does', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }),
      fc.integer({ min: 0, max: 9 }),
      (value, digits) => {
        const exact = new Wide(value).toDecimalPlaces(digits, Wide.ROUND_HALF_UP)
        const shown = floatText(value, digits).replaceAll(',', '')
        expect(shown).toBe(exact.isZero() ? exact.abs().toFixed(digits) : exact.toFixed(digits))
      },
    ),
  )
  expect([floatText(1.005, 2), floatText(5e-7, 6), floatText(Number.NaN, 2)]).toEqual([
    '1.01',
    '0.000001',
    'NaN',
  ])
})

test('a share is a percentage, a count names what it counts, and an interval without data says so', () => {
  expect(percentText(0.1234)).toBe('12.3 %')
  expect([countText(1, 'fill'), countText(1_234, 'fill')]).toEqual(['1 fill', '1,234 fills'])
  expect([intervalText([-1, 2.5]), intervalText(null)]).toEqual([
    '90 % CI -1.00 to +2.50',
    'too little data for an interval',
  ])
})

describe('rounding the terms of a sum', () => {
  test('what is shown adds up to the rounded total, and no term is off by more than a unit', () => {
    fc.assert(
      fc.property(
        fc.array(exactText, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 6 }),
        (terms, digits) => {
          const rounded = roundToSum(terms, digits)
          const sum = rounded.terms.reduce((total, term) => total.plus(term), new Wide(0))
          const exact = terms.reduce((total, term) => total.plus(term), new Wide(0))
          const unit = new Wide(10).pow(-digits)
          expect(sum.toFixed(digits)).toBe(new Wide(rounded.total).toFixed(digits))
          expect(exact.minus(rounded.total).abs().times(2).lte(unit)).toBe(true)
          for (const [index, term] of terms.entries()) {
            expect(
              new Wide(term)
                .minus(rounded.terms[index] ?? 'NaN')
                .abs()
                .lte(unit),
            ).toBe(true)
          }
        },
      ),
    )
  })

  test('three thirds of a shilling do not lose a cent', () => {
    expect(roundToSum(['33.3333', '33.3333', '33.3334'], 2)).toEqual({
      terms: ['33.33', '33.33', '33.34'],
      total: '100.00',
    })
  })
})
