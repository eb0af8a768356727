import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noisyTakeAllLoss } from '../../../../../src/research/models/flow/take-all-noisy.ts'
import { takeAllLoss } from '../../../../../src/research/models/flow/take-all.ts'

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const anyGap = fc.record({ s0: real(0, 1000), sigma: real(0, 1000), days: real(1e-6, 365) })
const anyTaker = fc.record({ b: real(0, 1000), margin: real(0, 1000), looksPerDay: real(0, 1e5) })

const DAY = { s0: 16.839, sigma: 21.3, days: 1 }
const TAKER = { b: 40, margin: 20, looksPerDay: 8 }

describe('the loss to a taker of the whole pool', () => {
  it('is a number that is not negative, and its probability one of 0 to 1, for whatever is admitted', () => {
    fc.assert(
      fc.property(anyGap, anyTaker, (gap, taker) => {
        const { loss, probability } = takeAllLoss(gap, taker)
        expect(loss >= 0 && Number.isFinite(loss)).toBe(true)
        expect(probability >= 0 && probability <= 1).toBe(true)
        // Anyone who takes has at least his margin, but for what the inversion rounds.
        expect(loss).toBeGreaterThanOrEqual(probability * taker.margin - 1e-4)
      }),
      { numRuns: 40 },
    )
  })

  it('is that of finite differences, where the gap begins somewhere, moves, or does both', () => {
    const cases = [
      [DAY, TAKER],
      [
        { ...DAY, s0: 0 },
        { b: 60, margin: 5, looksPerDay: 96 },
      ],
      [{ s0: 60, sigma: 5, days: 1 }, TAKER],
    ] as const
    for (const [gap, taker] of cases) {
      const [exact, grid] = [takeAllLoss(gap, taker), noisyTakeAllLoss(gap, { ...taker, tau: 0 })]
      expect(Math.abs(exact.loss - grid.loss)).toBeLessThan(0.001)
      expect(Math.abs(exact.probability - grid.probability)).toBeLessThan(0.0001)
    }
  })

  it('does not jump where the gap stops moving', () => {
    const [still, slow] = [0, 1e-4].map((sigma) => takeAllLoss({ s0: 90, sigma, days: 1 }, TAKER))
    expect(slow!.loss).toBeCloseTo(still!.loss, 3)
    expect(slow!.probability).toBeCloseTo(still!.probability, 5)
  })

  it('is eight times the figure of a mid that is fresh when it is published', () => {
    const [fresh, stale] = [0, DAY.s0].map((s0) => takeAllLoss({ ...DAY, s0 }, TAKER).loss)
    expect(Math.round(stale! / fresh!)).toBe(8)
  })

  it('is nothing without looks, without a gap or without a stock that pays', () => {
    const nothing = { loss: 0, probability: 0 }
    expect(takeAllLoss(DAY, { ...TAKER, looksPerDay: 0 })).toEqual(nothing)
    expect(takeAllLoss({ s0: 0, sigma: 0, days: 1 }, TAKER)).toEqual(nothing)
    expect(noisyTakeAllLoss({ s0: 0, sigma: 0, days: 1 }, { ...TAKER, tau: 15 })).toEqual(nothing)
  })
})

describe('the loss to a taker of the whole pool who sees badly', () => {
  it('falls with his error', () => {
    const losses = [0, 15, 40].map((tau) => noisyTakeAllLoss(DAY, { ...TAKER, tau }).loss)
    expect(losses.toSorted((a, b) => b - a)).toEqual(losses)
  })

  it('is a number for whatever is admitted', () => {
    fc.assert(
      fc.property(anyGap, anyTaker, real(0, 1000), (gap, taker, tau) => {
        const { loss, probability } = noisyTakeAllLoss(gap, { ...taker, tau })
        expect(Number.isFinite(loss)).toBe(true)
        expect(probability > -1e-9 && probability < 1 + 1e-9).toBe(true)
      }),
      { numRuns: 6 },
    )
  })
})
