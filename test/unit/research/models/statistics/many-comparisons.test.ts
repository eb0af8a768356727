import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  expectedMaximum,
  holm,
  luckOfTheBest,
} from '../../../../../src/research/models/statistics/many-comparisons.ts'

describe('many comparisons', () => {
  test('adjusted by Holm keep their order and places, never fall, and never exceed Bonferroni or 1', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(share, { maxLength: 12 }), (pValues) => {
        const adjusted = holm(pValues)
        expect(adjusted).toHaveLength(pValues.length)
        for (const [i, p] of pValues.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p)
          expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, p * pValues.length))
          for (const [j, other] of pValues.entries())
            if (p <= other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] ?? 0)
        }
      }),
    )
  })

  test('the expected maximum of one, two and three normals is known in closed form', () => {
    expect(expectedMaximum(1)).toBeCloseTo(0, 9)
    expect(expectedMaximum(2)).toBeCloseTo(1 / Math.sqrt(Math.PI), 9)
    expect(expectedMaximum(3)).toBeCloseTo(1.5 / Math.sqrt(Math.PI), 9)
  })

  test('luck shrinks with the seeds and grows with the variants, however many', () => {
    expect(luckOfTheBest(400, 120, 25)).toBeCloseTo(luckOfTheBest(400, 30, 25) / 2, 9)
    const growing = [1, 2, 25, 100, 1e4, 1e9].map((variants) => luckOfTheBest(1, 1, variants))
    expect(growing).toEqual(growing.toSorted((a, b) => a - b))
    expect(growing.at(-1)).toBeLessThan(7)
  })
})
