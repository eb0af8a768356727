import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawNormal, seededRandom } from '../../../../../src/base/random.ts'
import { normalDensity, normalQuantile } from '../../../../../src/core/models/distributions.ts'
import { tailRisk } from '../../../../../src/research/models/statistics/tail-risk.ts'

const measure = (worlds: readonly (readonly number[])[]) => tailRisk(worlds, seededRandom(1, 'tail'))
const KEYS = ['var95', 'es95', 'var99', 'es99'] as const
const losses = fc.array(fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 4, maxLength: 4 }), {
  minLength: 1,
  maxLength: 60,
})

describe('value at risk and expected shortfall', () => {
  test('of normal losses are the closed forms, within four of their standard errors', () => {
    const random = seededRandom(7, 'normal losses')
    const tail = measure(
      Array.from({ length: 4_000 }, () => Array.from({ length: 5 }, () => drawNormal(random))),
    )
    for (const [level, quantileKey, shortfallKey] of [
      [0.95, 'var95', 'es95'],
      [0.99, 'var99', 'es99'],
    ] as const) {
      const z = normalQuantile(level)
      const value = tail[quantileKey]
      const shortfall = tail[shortfallKey]
      expect(Math.abs(value.value - z)).toBeLessThan(4 * value.se)
      expect(Math.abs(shortfall.value - normalDensity(z) / (1 - level))).toBeLessThan(4 * shortfall.se)
      // The asymptotic error of a quantile: sqrt(p (1 - p) / n) / density.
      expect(value.se / (Math.sqrt((level * (1 - level)) / 20_000) / normalDensity(z))).toBeCloseTo(1, 0)
    }
  })

  test('of a hundred equally likely losses are the sixth and the second worst, and the means of the worst five and one', () => {
    const tail = measure(Array.from({ length: 100 }, (_, loss) => [loss + 1]))
    expect(KEYS.map((key) => tail[key].value)).toEqual(
      [95, 98, 99, 100].map((loss) => expect.closeTo(loss, 9)),
    )
  })

  test('of worlds whose losses are equal have the error of the number of worlds, not of the losses', () => {
    const random = seededRandom(3, 'clusters')
    const drawn = Array.from({ length: 400 }, () => drawNormal(random))
    const single = measure(drawn.map((loss) => [loss]))
    const repeated = measure(drawn.map((loss) => Array.from({ length: 25 }, () => loss)))
    expect(repeated.var95.se).toBeCloseTo(single.var95.se, 1)
  })

  test('are ordered: a shortfall is at least its value at risk, and 99 % at least 95 %', () => {
    fc.assert(
      fc.property(losses, (worlds) => {
        const { var95, es95, var99, es99 } = measure(worlds)
        const isAtLeast = (a: number, b: number) => a >= b - 1e-9
        expect(isAtLeast(es95.value, var95.value) && isAtLeast(es99.value, var99.value)).toBe(true)
        expect(isAtLeast(var99.value, var95.value) && isAtLeast(es99.value, es95.value)).toBe(true)
        expect(es99.value).toBeLessThanOrEqual(Math.max(...worlds.flat()) + 1e-9)
      }),
      { numRuns: 50 },
    )
  })

  test('move with an added amount, scale with the position, and never fall where a loss grows', () => {
    fc.assert(
      fc.property(losses, fc.integer({ min: 0, max: 500 }), fc.nat(), (worlds, more, at) => {
        const before = measure(worlds)
        const moved = measure(worlds.map((world) => world.map((loss) => 3 * loss + more)))
        const grown = measure(
          worlds.map((world, index) =>
            world.map((loss) => (index === at % worlds.length ? loss + more : loss)),
          ),
        )
        for (const key of KEYS) {
          expect(moved[key].value).toBeCloseTo(3 * before[key].value + more, 6)
          expect(moved[key].se).toBeCloseTo(3 * before[key].se, 6)
          expect(grown[key].value).toBeGreaterThanOrEqual(before[key].value - 1e-9)
        }
      }),
      { numRuns: 50 },
    )
  })
})
