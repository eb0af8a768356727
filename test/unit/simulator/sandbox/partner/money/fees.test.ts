import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findBiller, readBill } from '../../../../../../src/simulator/sandbox/partner/lookup/billers.ts'
import { spendFees } from '../../../../../../src/simulator/sandbox/partner/money/fees.ts'

const government = findBiller('gepg')

test('a government bill below 20,000 pays no rail fee and still the service fee', () => {
  expect(spendFees(19_999n, government)).toEqual({ railFeeTzs: 0n, platformFeeTzs: 80n, totalFeeTzs: 80n })
  expect(spendFees(20_000n, government).railFeeTzs).toBe(600n)
  expect(spendFees(19_999n, null).railFeeTzs).toBe(350n)
})

test('fees are whole, positive, never fall with the amount and add up', () => {
  fc.assert(
    fc.property(fc.bigInt(500n, 2_000_000n), (principal) => {
      const fees = spendFees(principal, null)
      expect(fees.totalFeeTzs).toBe(fees.railFeeTzs + fees.platformFeeTzs)
      expect(fees.platformFeeTzs).toBeGreaterThan(0n)
      expect(spendFees(principal + 1n, null).totalFeeTzs).toBeGreaterThanOrEqual(fees.totalFeeTzs)
    }),
  )
})

test('a reference has only digits and the lengths of its biller', () => {
  const read = (utilityRef: string, utilityCode = 'LUKU') => readBill({ utilityCode, utilityRef })
  expect(read('04123456789').biller.code).toBe('LUKU')
  for (const bad of ['0412345678', '041234567890', '0412345678x', '', '٠٤١٢٣٤٥٦٧٨٩'])
    expect(() => read(bad)).toThrow()
  expect(() => read('04123456789', 'NONE')).toThrow('LUKU')
  expect(findBiller('NONE')).toBeNull()
})
