import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawNormal, seededRandom } from '../../../../../src/base/random.ts'
import { flipTests } from '../../../../../src/research/models/statistics/sign-flips.ts'

const column = (seeds: number) =>
  fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: seeds, maxLength: seeds })

describe('paired differences under sign flips', () => {
  test('that all have one sign are as unlikely as two of all the flips', () => {
    const [{ p, stepdown, t } = { p: 0, stepdown: 0, t: 0 }] = flipTests([[1, 2, 3, 4, 5, 6]])
    expect([p, stepdown]).toEqual([2 / 64, 2 / 64])
    expect(t).toBeCloseTo(3.5 / (Math.sqrt(3.5) / Math.sqrt(6)), 12)
  })

  test('that are all equal have no t and still a p, and those that are all 0 show nothing', () => {
    expect(
      flipTests([
        [5, 5, 5],
        [0, 0, 0],
      ]),
    ).toEqual([
      { t: null, p: 0.25, stepdown: 0.25 },
      { t: null, p: 1, stepdown: 1 },
    ])
  })

  test('are compared by size: the sign of a column and its unit do not count, and the sign of t is kept', () => {
    const values = [3, -1, 4, 1, -5, 9]
    const [one, other] = [flipTests([values])[0], flipTests([values.map((value) => -1e9 * value)])[0]]
    expect(other?.p).toBe(one?.p)
    expect(other?.t).toBeCloseTo(-(one?.t ?? NaN), 10)
  })

  test('adjusted for several columns are never clearer than alone, and in the order of |t|', () => {
    fc.assert(
      fc.property(fc.array(column(7), { minLength: 1, maxLength: 5 }), (columns) => {
        const tests = flipTests(columns)
        for (const { p, stepdown, t } of tests) {
          expect(p).toBeGreaterThan(0)
          expect(stepdown).toBeGreaterThanOrEqual(p)
          expect(stepdown).toBeLessThanOrEqual(1)
          expect(t === null || Number.isFinite(t)).toBe(true)
        }
        const clear = tests
          .filter(({ t }) => t !== null)
          .toSorted((a, b) => Math.abs(b.t ?? 0) - Math.abs(a.t ?? 0))
        for (const [i, { stepdown }] of clear.slice(1).entries())
          expect(stepdown).toBeGreaterThanOrEqual(clear[i]?.stepdown ?? 1)
      }),
    )
  })

  test('beyond 12 seeds are drawn: near the exact p, the same for the same seed', () => {
    // 12 seeds are exact; a thirteenth of 0 changes no flip but doubles them.
    const twelve = [120, 80, -30, 150, 60, -90, 10, -140, 35, 70, -20, 55]
    const exact = flipTests([twelve])[0]
    const drawn = flipTests([[...twelve, 0]], 3)[0]
    expect(Math.abs((drawn?.p ?? 0) - (exact?.p ?? 1))).toBeLessThan(0.006)
    expect(flipTests([[...twelve, 0]], 3)[0]).toEqual(drawn)
  })

  test('of chance alone are called clear at 5 % about as often as promised, in any of four columns', () => {
    const random = seededRandom(11, 'flips-under-the-null')
    let alone = 0
    let any = 0
    const rounds = 600
    for (let round = 0; round < rounds; round++) {
      const tests = flipTests(
        Array.from({ length: 4 }, () => Array.from({ length: 9 }, () => drawNormal(random))),
      )
      if ((tests[0]?.p ?? 1) <= 0.05) alone++
      if (tests.some(({ stepdown }) => stepdown <= 0.05)) any++
    }
    // Two standard errors are 1.8 points.
    expect(Math.abs(alone / rounds - 0.05)).toBeLessThan(0.02)
    expect(Math.abs(any / rounds - 0.05)).toBeLessThan(0.02)
  })
})
