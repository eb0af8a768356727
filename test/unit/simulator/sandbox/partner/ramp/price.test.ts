import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RATE_ONE } from '../../../../../../src/base/money/rate.ts'
import {
  priceOfframpFor,
  priceOfframpOf,
  priceOnramp,
  rampRate,
  shownRate,
} from '../../../../../../src/simulator/sandbox/partner/ramp/price.ts'
import { spendFees } from '../../../../../../src/simulator/sandbox/partner/money/fees.ts'

const mid = 2_568n * RATE_ONE
const feeOf = (tzs: bigint) => spendFees(tzs, null).totalFeeTzs

test('the desk buys dollars below mid and sells them above it', () => {
  expect(shownRate(rampRate(mid, 'offramp', 100))).toBe(2_542.32)
  expect(shownRate(rampRate(mid, 'onramp', 100))).toBe(2_593.68)
})

test('an exact net payout debits dollars that cover it and its fee, and one unit less would not', () => {
  const rate = rampRate(mid, 'offramp', 100)
  fc.assert(
    fc.property(fc.bigInt(1n, 5_000_000n), (tzs) => {
      const { usdc } = priceOfframpFor(tzs, feeOf(tzs), rate)
      const worth = (units: bigint) => units * 10n ** 12n * rate
      const needed = (tzs + feeOf(tzs)) * 10n ** 18n * RATE_ONE
      expect(worth(usdc)).toBeGreaterThanOrEqual(needed)
      expect(worth(usdc - 1n)).toBeLessThan(needed)
    }),
  )
})

test('exact dollars pay the most whole shillings that they cover', () => {
  const rate = rampRate(mid, 'offramp', 100)
  fc.assert(
    fc.property(fc.bigInt(1_000_000n, 400_000_000n), (usdc) => {
      const price = priceOfframpOf(usdc, feeOf, rate)
      if (price === null) throw new Error('one dollar pays something')
      expect(priceOfframpFor(price.tzs, price.feeTzs, rate).usdc).toBeLessThanOrEqual(usdc)
      const more = price.tzs + 1n
      expect(priceOfframpFor(more, feeOf(more), rate).usdc).toBeGreaterThan(usdc)
    }),
  )
  expect(priceOfframpOf(1n, feeOf, rate)).toBeNull()
})

test('an onramp whose fee eats the amount has no price', () => {
  const rate = rampRate(mid, 'onramp', 100)
  expect(priceOnramp(500n, 500n, rate)).toBeNull()
  expect(priceOnramp(100_000n, feeOf(100_000n), rate)).toMatchObject({ tzs: 100_000n, usdc: 37_822_707n })
})
