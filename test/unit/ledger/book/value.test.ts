import { describe, expect, test } from 'vitest'
import {
  dollars18,
  formatTzs36,
  formatUsd54,
  inverseRate,
  valueTzs,
  valueUsd,
} from '../../../../src/ledger/book/value.ts'
import { zeroAmounts } from '../../../../src/money/asset.ts'
import { MID, NTZS, RATE, USD } from '../reconciliation/harness.ts'

describe('valuation', () => {
  const amounts = { ...zeroAmounts(), NTZS: 5_000n * NTZS, USDC: USD, USDT: USD, 'USDT.bnb': 10n ** 18n }

  test('dollars of six and of eighteen decimals add up to one pile', () => {
    expect(dollars18(amounts)).toBe(3n * 10n ** 18n)
  })

  test('value is shillings plus dollars at the mid, in either currency', () => {
    expect(formatTzs36(valueTzs(amounts, MID) ?? 0n, 2)).toBe('12500.00')
    expect(formatUsd54(valueUsd(amounts, MID) ?? 0n, 2)).toBe('5.00')
  })

  test('without a mid there is no value, not even for nothing', () => {
    expect(valueTzs(zeroAmounts(), null)).toBeNull()
    expect(valueUsd(zeroAmounts(), null)).toBeNull()
  })

  test('the inverse rate is rounded down once', () => {
    expect(inverseRate(3n * RATE)).toBe(333_333_333_333_333_333_333_333_333_333_333_333n)
  })

  test('text is rounded half away from zero at the asked digits and never says minus zero', () => {
    expect(formatTzs36(1_005n * 10n ** 33n, 2)).toBe('1.01')
    expect(formatTzs36(-1_005n * 10n ** 33n, 2)).toBe('-1.01')
    expect(formatTzs36(-1n, 2)).toBe('0.00')
    expect(formatTzs36(-1n, 0)).toBe('0')
    expect(formatUsd54(1n, 54)).toBe(`0.${'0'.repeat(53)}1`)
    expect(formatTzs36(123_456_789_012_345_678_901_234_567_890n * 10n ** 36n + 1n, 36)).toBe(
      `123456789012345678901234567890.${'0'.repeat(35)}1`,
    )
  })
})
