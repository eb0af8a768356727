import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divideDifference, type OpenFigure } from '../../../../src/treasury/books/provisional.ts'
import type { Leg } from '../../../../src/treasury/model/intent.ts'

function figure(booked: bigint, least: bigint, most: bigint): OpenFigure {
  const one = { what: 'returned', place: 'treasury', asset: 'NTZS', booked, least, most } as const
  return { intent: 'one', leg: {} as Leg, figure: one }
}

const shares = (figures: readonly OpenFigure[], difference: bigint) =>
  divideDifference(figures, difference).map((one) => one.difference)

describe('a difference among figures that the venue has not stated', () => {
  test('is given to the oldest within its bounds, and the rest to the next', () => {
    const figures = [figure(100n, 90n, 100n), figure(200n, 150n, 210n)]
    expect(shares(figures, -30n)).toEqual([-10n, -20n])
    expect(shares(figures, 7n)).toEqual([0n, 7n])
  })

  test('beyond the bounds of all figures corrects none of them', () => {
    expect(shares([figure(100n, 90n, 100n)], -11n)).toEqual([])
    expect(shares([figure(100n, 90n, 100n)], 1n)).toEqual([])
    expect(shares([], 1n)).toEqual([])
  })

  test('whatever the figures are, shares stay within the bounds and sum to the difference', () => {
    const bounded = fc
      .tuple(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 1_000n), fc.bigInt(0n, 1_000n))
      .map(([booked, down, up]) => figure(booked, booked > down ? booked - down : 0n, booked + up))
    fc.assert(
      fc.property(fc.array(bounded, { maxLength: 5 }), fc.bigInt(-3_000n, 3_000n), (figures, difference) => {
        const findings = divideDifference(figures, difference)
        const room = (of: 'least' | 'most') =>
          figures.reduce((sum, { figure: one }) => sum + one[of] - one.booked, 0n)
        const isPossible = difference >= room('least') && difference <= room('most')
        expect(findings.length > 0).toBe(isPossible && figures.length > 0)
        for (const { figure: one, difference: share } of findings) {
          expect(one.booked + share).toBeGreaterThanOrEqual(one.least)
          expect(one.booked + share).toBeLessThanOrEqual(one.most)
        }
        if (findings.length > 0)
          expect(findings.reduce((sum, one) => sum + one.difference, 0n)).toBe(difference)
      }),
    )
  })
})
