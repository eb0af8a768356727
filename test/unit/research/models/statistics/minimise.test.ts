import { describe, expect, it } from 'vitest'
import { minimise } from '../../../../../src/research/models/statistics/minimise.ts'

describe('the smallest value of a function', () => {
  it('of a tilted bowl is found with the inverse of its second derivatives', () => {
    const { at, inverseCurvature } = minimise(
      ([x = 0, y = 0]) => (x - 1) ** 2 + x * y + 2 * (y + 1) ** 2,
      [0, 0],
    )
    expect(at[0]).toBeCloseTo(12 / 7, 1)
    expect(at[1]).toBeCloseTo(-10 / 7, 1)
    expect(inverseCurvature?.[0]?.[0]).toBeCloseTo(4 / 7, 4)
    expect(inverseCurvature?.[0]?.[1]).toBeCloseTo(-1 / 7, 4)
    expect(inverseCurvature?.[1]?.[1]).toBeCloseTo(2 / 7, 4)
  })

  it('follows the curved valley of Rosenbrock', () => {
    const { at } = minimise(([x = 0, y = 0]) => (1 - x) ** 2 + 100 * (y - x * x) ** 2, [-1, 1])
    expect(at[0]).toBeCloseTo(1, 1)
    expect(at[1]).toBeCloseTo(1, 1)
  })

  it('takes what is no number as infinitely large', () => {
    expect(minimise(([x = 0]) => (x < 0 ? NaN : (x - 0.2) ** 2), [1]).at[0]).toBeCloseTo(0.2, 1)
  })

  it('has no curvature where the function is flat in a direction', () => {
    expect(minimise(([x = 0]) => x * x, [1, 1]).inverseCurvature).toBeNull()
  })
})
