import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  holm,
  meanMaximum,
  meanOf,
  pairedDifference,
  stepDown,
} from '../../../../src/tournament/statistics/paired.ts'

const A = [120, 80, -30, 150, 60, 90, 10, 140]
const B = [40, -20, 70, 10, -50, 90, 30, 20]
const C = [-60, 30, -10, 20, -40, 10, -30, 0]

describe('the statistics of a tournament', () => {
  test('Holm: .0004, .0021, .006, .011, .03 become .002, .0084, .018, .022, .03', () => {
    const adjusted = holm([0.0004, 0.0021, 0.006, 0.011, 0.03])
    for (const [index, p] of [0.002, 0.0084, 0.018, 0.022, 0.03].entries())
      expect(adjusted[index]).toBeCloseTo(p, 12)
    expect(holm([0.03, 0.0004])).toEqual([0.03, 0.0008])
  })

  test('the step-down maximum over all 256 sign flips of eight seeds gives 14, 84 and 116 of 256', () => {
    expect(stepDown([A, B, C], 1).map((p) => p * 256)).toEqual([14, 84, 116])
    expect(stepDown([C, A, B], 1).map((p) => p * 256)).toEqual([116, 14, 84])
    for (const [column, flips] of [
      [A, 6],
      [B, 54],
      [C, 116],
    ] as const)
      expect(stepDown([column], 1)[0]! * 256).toBe(flips)
  })

  test('a paired difference has |t| 3.4941, 1.4817, .9075 for those seeds', () => {
    const zeros = A.map(() => 0)
    for (const [column, t] of [
      [A, 3.4941],
      [B, 1.4817],
      [C, 0.9075],
    ] as const)
      expect(Math.abs(pairedDifference(column, zeros).t ?? 0)).toBeCloseTo(t, 4)
  })

  test('pairing removes what two strategies have in common, and says so beside the unpaired sd', () => {
    const common = Array.from({ length: 40 }, (_, seed) => 1_000 * Math.sin(seed * 7))
    const ours = common.map((value, seed) => value + 50 + (seed % 2))
    const { mean, sdPaired, sdUnpaired, p } = pairedDifference(ours, common)
    expect(mean).toBeCloseTo(50.5, 9)
    expect(sdUnpaired).toBeGreaterThan(900)
    expect(sdPaired).toBeLessThan(1)
    expect(p).toBeLessThan(1e-20)
    expect(pairedDifference(common, common)).toMatchObject({ t: null, p: 1 })
  })

  test('the best of 25 and of 100 equal variants is 1.96531 and 2.50759 standard errors better by luck', () => {
    expect(meanMaximum(25)).toBeCloseTo(1.96531, 5)
    expect(meanMaximum(100)).toBeCloseTo(2.50759, 5)
    expect(meanMaximum(1)).toBeCloseTo(0, 9)
    expect((400 / Math.sqrt(30)) * meanMaximum(25)).toBeCloseTo(143.53, 2)
  })

  test('adjusted p-values are never below the raw ones, and keep their order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (p) => {
        const adjusted = holm(p)
        p.forEach((one, index) => {
          expect(adjusted[index]).toBeGreaterThanOrEqual(one)
          expect(adjusted[index]).toBeLessThanOrEqual(1)
          p.forEach((other, at) => {
            if (one < other) expect(adjusted[index]).toBeLessThanOrEqual(adjusted[at] ?? 1)
          })
        })
      }),
    )
  })

  test('drawn sign flips of many seeds are seeded, and find no effect where there is none', () => {
    const noise = Array.from({ length: 30 }, (_, seed) => Math.sin(seed * 12.9898) * 100)
    const effect = noise.map((value) => value + 200)
    const first = stepDown([noise, effect], 1)
    expect(stepDown([noise, effect], 1)).toEqual(first)
    expect(first[0]).toBeGreaterThan(0.2)
    expect(first[1]).toBeLessThan(0.001)
    expect(meanOf(effect).mean - meanOf(noise).mean).toBeCloseTo(200, 9)
  })
})
