import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feesNow, higherFees } from '../../../../../src/custody/chain/transactions/prepare-transaction.ts'

const fee = fc.bigInt(0n, 10n ** 12n)
const settings = fc.record({
  maxFeeGwei: fc.double({ min: 0.001, max: 1_000, noNaN: true }),
  tipGwei: fc.double({ min: 0, max: 10, noNaN: true }),
})

describe('fees', () => {
  test('an offer pays for the next block, and never more than the cap', () => {
    fc.assert(
      fc.property(fee, settings, (baseFee, limits) => {
        const cap = BigInt(Math.round(limits.maxFeeGwei * 1e9))
        const offer = feesNow(baseFee, limits)
        if (!offer.ok) {
          expect(offer.error).toMatchObject({ code: 'GAS_TOO_HIGH', isAnswer: true })
          expect(baseFee + BigInt(Math.round(limits.tipGwei * 1e9))).toBeGreaterThan(cap)
          return
        }
        const { maxFeePerGas, maxPriorityFeePerGas } = offer.value
        expect(maxFeePerGas).toBeLessThanOrEqual(cap)
        expect(maxFeePerGas).toBeGreaterThanOrEqual(baseFee + maxPriorityFeePerGas)
      }),
    )
  })

  test('a replacement pays at least an eighth more of both fees, within the cap, or none exists', () => {
    fc.assert(
      fc.property(fee, fee, fee, settings, (baseFee, last, tip, limits) => {
        const before = { maxFeePerGas: last + tip, maxPriorityFeePerGas: tip }
        const after = higherFees(before, baseFee, limits)
        if (after === null) return
        expect(after.maxFeePerGas).toBeLessThanOrEqual(BigInt(Math.round(limits.maxFeeGwei * 1e9)))
        expect(after.maxFeePerGas * 8n).toBeGreaterThan(before.maxFeePerGas * 9n)
        expect(after.maxPriorityFeePerGas * 8n).toBeGreaterThan(before.maxPriorityFeePerGas * 9n)
        expect(after.maxPriorityFeePerGas).toBeLessThanOrEqual(after.maxFeePerGas)
      }),
    )
  })

  test('a replacement follows the price of gas where that rose by more', () => {
    const limits = { maxFeeGwei: 100, tipGwei: 1 }
    const before = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n }
    const after = higherFees(before, 20n * 10n ** 9n, limits)
    expect(after).toEqual({ maxFeePerGas: 41n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n })
  })
})
