import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { posteriorSpread } from '../../../../../src/research/models/quotes/posterior-spread.ts'

describe('the half-spread under doubt about k', () => {
  const value = (b: number, alpha: number, beta: number, cost: number) =>
    (b - cost) * (1 + b / beta) ** -alpha

  test('is the best of a grid, and doubt widens it', () => {
    const { bps, plugInBps } = posteriorSpread({ alpha: 4, beta: 240 }, 20)
    const grid = Array.from({ length: 491 }, (_, index) => 10 + index)
    const best = grid.toSorted((a, b) => value(b, 4, 240, 20) - value(a, 4, 240, 20))[0]
    expect(best).toBe(107)
    expect(bps).toBeGreaterThan(plugInBps)
  })

  test('comes to the plug-in as the doubt goes, at the same mean of k', () => {
    const { bps, plugInBps, plugInKeeps } = posteriorSpread({ alpha: 4e6, beta: 240e6 }, 20)
    expect(bps).toBeCloseTo(plugInBps, 3)
    expect(plugInKeeps).toBeCloseTo(1, 6)
  })

  test('for any posterior pays more than its cost, is above the plug-in, and the plug-in keeps a share of its value', () => {
    const log = (least: number, most: number) =>
      fc.double({ min: least, max: most, noNaN: true }).map((x) => 10 ** x)
    fc.assert(
      fc.property(log(0.0005, 9), log(-6, 12), fc.oneof(fc.constant(0), log(-3, 6)), (alpha, beta, cost) => {
        const { bps, plugInBps, plugInKeeps } = posteriorSpread({ alpha, beta }, cost)
        expect(bps).toBeGreaterThan(cost)
        expect(bps).toBeGreaterThanOrEqual(plugInBps * (1 - 1e-9))
        expect(plugInKeeps).toBeGreaterThan(0)
        expect(plugInKeeps).toBeLessThanOrEqual(1)
      }),
      { numRuns: 500 },
    )
  })
})
