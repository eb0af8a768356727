import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusteredRatio } from '../../../../../src/core/models/intervals.ts'
import { overlappingRatio } from '../../../../../src/research/models/markouts/overlapping-ratio.ts'

const widthOf = (interval: readonly [number, number] | null | undefined) =>
  interval === null || interval === undefined ? NaN : interval[1] - interval[0]

describe('a ratio over windows that overlap', () => {
  test('is the sum by the weight, with an interval from the squares and products of what is left', () => {
    // Rests -1 and 1 of weight 1 each: one lag at half weight; 2 (1 + 1 + 2 (1/2) (-1)) = 2; quantile of Student with one degree.
    const found = overlappingRatio([
      { sum: 4, weight: 1 },
      { sum: 6, weight: 1 },
    ])
    expect(found).toMatchObject({ value: 5, clusters: 2 })
    expect(widthOf(found?.interval) / 2).toBeCloseTo((6.313752 * Math.sqrt(2)) / 2, 5)
  })

  test('is wider where neighbours err the same way than where they err by turns', () => {
    const terms = (signs: readonly number[]) => signs.map((sign) => ({ sum: 10 + sign, weight: 1 }))
    const together = overlappingRatio(terms([1, 1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1]))
    const byTurns = overlappingRatio(terms([1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1]))
    expect(together?.value).toBe(byTurns?.value)
    expect(widthOf(together?.interval)).toBeGreaterThan(2 * widthOf(byTurns?.interval))
  })

  test('has no interval from one term with weight, and is nothing without weight', () => {
    expect(overlappingRatio([{ sum: 3, weight: 2 }])).toEqual({ value: 1.5, interval: null, clusters: 1 })
    expect(
      overlappingRatio([
        { sum: 3, weight: 2 },
        { sum: 1, weight: 0 },
      ]),
    ).toEqual({ value: 2, interval: null, clusters: 1 })
    expect(overlappingRatio([])).toBeNull()
    expect(overlappingRatio([{ sum: 1, weight: 0 }])).toBeNull()
  })

  test('does not take updates without fills for evidence: they change no interval', () => {
    const terms = [9, 11, 10, 12, 8].map((sum) => ({ sum, weight: 1 }))
    const idle = Array.from({ length: 50 }, () => ({ sum: 0, weight: 0 }))
    const [alone, among] = [overlappingRatio(terms), overlappingRatio([...idle, ...terms, ...idle])]
    expect(among?.value).toBe(alone?.value)
    expect(widthOf(among?.interval)).toBeCloseTo(widthOf(alone?.interval), 12)
  })

  test('of any terms is finite, lies in its interval, and has the value of independent clusters', () => {
    const term = fc.record({
      sum: fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      weight: fc.constantFrom(0, 1, 2, 500),
    })
    fc.assert(
      fc.property(fc.array(term, { maxLength: 30 }), (terms) => {
        const found = overlappingRatio(terms)
        expect(found === null).toBe(terms.every(({ weight }) => weight === 0))
        if (found === null) return
        expect(Number.isFinite(found.value)).toBe(true)
        const [low, high] = found.interval ?? [found.value, found.value]
        expect(low <= found.value && found.value <= high).toBe(true)
        if (terms.every(({ weight }) => weight > 0))
          expect(found.value).toBeCloseTo(clusteredRatio(terms)?.value ?? NaN, 6)
      }),
    )
  })
})
