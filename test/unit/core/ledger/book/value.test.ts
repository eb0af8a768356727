import { describe, expect, test } from 'vitest'
import { dollars18, inverseRate, valueTzs, valueUsd } from '../../../../../src/core/ledger/book/value.ts'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { MID, NTZS, RATE, USD } from '../reconciliation/harness.ts'

describe('valuation', () => {
  const amounts = { ...zeroAmounts(), NTZS: 5_000n * NTZS, USDC: USD, USDT: USD, 'USDT.bnb': 10n ** 18n }

  test('dollars of six and of eighteen decimals add up to one pile', () => {
    expect(dollars18(amounts)).toBe(3n * 10n ** 18n)
  })

  test('value is shillings plus dollars at the mid, in either currency', () => {
    expect(valueTzs(amounts, MID)).toBe(12_500n * 10n ** 36n)
    expect(valueUsd(amounts, MID)).toBe(5n * 10n ** 54n)
  })

  test('without a mid there is no value, not even for nothing', () => {
    expect(valueTzs(zeroAmounts(), null)).toBeNull()
    expect(valueUsd(zeroAmounts(), null)).toBeNull()
  })

  test('the inverse rate is rounded down once', () => {
    expect(inverseRate(3n * RATE)).toBe(333_333_333_333_333_333_333_333_333_333_333_333n)
  })
})
