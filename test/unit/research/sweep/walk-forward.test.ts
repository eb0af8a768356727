import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../../src/base/time.ts'
import { contestOf } from '../../../../src/research/sweep/ranking/rank-variants.ts'
import { walkForward } from '../../../../src/research/sweep/ranking/walk-forward.ts'
import { triedVariant } from './tried-variant.ts'

const contest = (...series: readonly (readonly number[])[]) =>
  contestOf(series.map((pnl, index) => triedVariant(index, pnl)))

const steady = (days: number, perDay: number) => Array.from({ length: days }, () => perDay)

describe('walk-forward', () => {
  test('chooses on the days before and reports what the choice brought on the next ones', () => {
    // Variant 1 is best at first and then loses, so that the third split trusts it no more; 2 wakes up late.
    const turning = [...steady(4, 5), ...steady(4, -3)]
    const late = [...steady(4, 0), ...steady(4, 4)]
    const forward = walkForward(contest(steady(8, 1), turning, late), 3, 1)
    expect(forward?.splits.map(({ choice }) => [choice.variant, choice.pnlUsd])).toEqual([
      [1, 10],
      [1, -6],
      [0, 2],
    ])
    expect(forward?.splits.map(({ placeAfterwards }) => placeAfterwards)).toEqual([1, 3, 2])
    expect(forward?.splits.map(({ bestInHindsight }) => bestInHindsight.variant)).toEqual([1, 2, 2])
    expect(forward).toMatchObject({ choicesUsd: 6, bestInHindsightUsd: 26, unchangedUsd: 6 })
    expect(forward?.splits.map(({ trainDays, testDays }) => [trainDays, testDays])).toEqual([
      [2, 2],
      [4, 2],
      [6, 2],
    ])
    expect(forward?.splits.map(({ from, to }) => [from, to])).toEqual([
      ['1970-01-03', '1970-01-05'],
      ['1970-01-05', '1970-01-07'],
      ['1970-01-07', '1970-01-09'],
    ])
  })

  test('never looks ahead: what comes after a split does not change its choice', () => {
    const days = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(days, days, days, (one, other, future) => {
        const choices = (a: readonly number[], b: readonly number[]) =>
          walkForward(contest(a, b), 3, 1)?.splits.map(({ choice }) => choice.variant) ?? []
        const otherwise = [...one.slice(0, 10), ...future.slice(10)]
        expect(choices(otherwise, other).slice(0, 2)).toEqual(choices(one, other).slice(0, 2))
      }),
      { numRuns: 20 },
    )
  })

  test('covers every day after the first stretch once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 9 }), (days, splits) => {
        const forward = walkForward(contest(steady(days, 2)), splits, 1)
        expect(forward === null).toBe(days < splits + 1)
        if (forward === null) return
        const found = forward.splits
        expect(found).toHaveLength(splits)
        for (const [index, { trainDays, testDays, from, to }] of found.entries()) {
          expect(testDays).toBeGreaterThan(0)
          expect(Date.parse(to) - Date.parse(from)).toBe(testDays * DAY_MS)
          expect(trainDays).toBe(Date.parse(from) / DAY_MS)
          expect(from).toBe(found[index - 1]?.to ?? from)
        }
        expect(Date.parse(found.at(-1)?.to ?? '')).toBe(days * DAY_MS)
        expect(forward.unchangedUsd).toBe(2 * (days - (found[0]?.trainDays ?? 0)))
      }),
      { numRuns: 60 },
    )
  })
})
