import { describe, expect, test } from 'vitest'
import { meanOf, pairedDifference } from '../../../../../src/research/models/statistics/paired-difference.ts'

const A = [120, 80, -30, 150, 60, 90, 10, 140]
const B = [40, -20, 70, 10, -50, 90, 30, 20]
const C = [-60, 30, -10, 20, -40, 10, -30, 0]

describe('a paired difference', () => {
  test('has |t| 3.4941, 1.4817, .9075 for those seeds', () => {
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
    expect(meanOf(common).se).toBeGreaterThan(100)
  })
})
