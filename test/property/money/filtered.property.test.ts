import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSurelyWithinBps } from '../../../src/money/filtered.ts'
import { rateStepBps, rateToNumber } from '../../../src/money/rate.ts'

const rate = fc.bigInt({ min: 10n ** 18n, max: 10n ** 24n })
const limit = fc.oneof(
  fc.integer({ min: 0, max: 20_000 }),
  fc.double({ min: 0, max: 20_000, noNaN: true }),
  fc.integer({ min: 0, max: 2_000_000 }).map((hundredths) => hundredths / 100),
)

/** Whether the numbers themselves are that near; the limit is a double, which is a fraction of integers. */
function isWithin(from: bigint, to: bigint, limitBps: number): boolean {
  const scale = 2n ** 60n
  // Twenty thousand has 15 bits before the point: all of a double's 53 are kept down to 2^-60.
  const scaled = BigInt(Math.floor(limitBps)) * scale + BigInt(Math.floor((limitBps % 1) * 2 ** 60))
  const away = to > from ? to - from : from - to
  return away * 10_000n * scale <= from * scaled
}

describe('a move that float64 proves to be within its limit', () => {
  test('is within it in integers, at rates of any size and for any limit', () => {
    let proven = 0
    fc.assert(
      fc.property(rate, rate, limit, (from, to, limitBps) => {
        if (!isSurelyWithinBps(rateToNumber(from), rateToNumber(to), limitBps)) return
        proven += 1
        expect(isWithin(from, to, limitBps)).toBe(true)
        expect(Math.abs(rateStepBps(from, to))).toBeLessThanOrEqual(limitBps)
      }),
      { numRuns: 3_000 },
    )
    expect(proven).toBeGreaterThan(20)
  })

  test('is within it at the limit itself and some units beside it', () => {
    let [proven, left] = [0, 0]
    fc.assert(
      fc.property(
        rate,
        fc.integer({ min: 1, max: 9_999 }),
        fc.boolean(),
        fc.oneof(
          fc.bigInt({ min: -3n, max: 3n }),
          fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }),
          fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        ),
        (from, bps, isUp, beside) => {
          const move = (from * BigInt(bps)) / 10_000n
          const to = (isUp ? from + move : from - move) + beside
          if (to <= 0n) return
          if (isSurelyWithinBps(rateToNumber(from), rateToNumber(to), bps)) {
            proven += 1
            expect(isWithin(from, to, bps)).toBe(true)
          } else if (isWithin(from, to, bps)) left += 1
        },
      ),
      { numRuns: 5_000 },
    )
    expect(proven).toBeGreaterThan(100)
    expect(left).toBeGreaterThan(100)
  })

  test('is nearly every move that is not at its limit', () => {
    fc.assert(
      fc.property(rate, fc.integer({ min: 1, max: 9_999 }), fc.boolean(), (from, bps, isUp) => {
        // A millionth of the limit inside it.
        const move = (from * BigInt(bps) * 999_999n) / 10_000_000_000n
        const to = isUp ? from + move : from - move
        expect(isSurelyWithinBps(rateToNumber(from), rateToNumber(to), bps)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  test('is none where the limit is no number or below zero', () => {
    for (const limitBps of [Number.NaN, -1, -1e9])
      expect(isSurelyWithinBps(2_500, 2_500, limitBps)).toBe(false)
  })
})
