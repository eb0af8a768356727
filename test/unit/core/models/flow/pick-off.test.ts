import { describe, expect, it } from 'vitest'
import { noisyLook, pickOffLoss } from '../../../../../src/core/models/flow/pick-off.ts'

describe('the loss to a taker who knows the fair value', () => {
  it('is what the fair value is beyond the spread where we know it exactly', () => {
    expect(pickOffLoss({ ghat: 80, tau: 0, b: 60 })).toEqual({ loss: 20, hitProbability: 1 })
    expect(pickOffLoss({ ghat: 40, tau: 0, b: 60 })).toEqual({ loss: 0, hitProbability: 0 })
    expect(pickOffLoss({ ghat: 60, tau: 0, b: 60 })).toEqual({ loss: 0, hitProbability: 0.5 })
  })

  it('is never below 0 nor below what is certain, however far the spread is away', () => {
    for (const b of [-1e6, -3000, 0, 500, 3000, 1e6])
      for (const tau of [1e-9, 1, 60, 1e6]) {
        const { loss, hitProbability } = pickOffLoss({ ghat: 0, tau, b })
        expect(loss).toBeGreaterThanOrEqual(Math.max(0, -b))
        expect(hitProbability >= 0 && hitProbability <= 1).toBe(true)
      }
  })

  it('grows with what we do not know', () => {
    const losses = [10, 25, 50, 100].map((tau) => pickOffLoss({ ghat: 0, tau, b: 60 }).loss)
    expect(losses.toSorted((a, b) => a - b)).toEqual(losses)
  })
})

describe('the loss to a taker who sees the gap with an error', () => {
  it('is that of one who knows it where he has no error and wants no margin', () => {
    const { loss, hitProbability } = noisyLook(60, { b: 60, tau: 0, margin: 0 })
    const known = pickOffLoss({ ghat: 0, tau: 60, b: 60 })
    expect(loss).toBeCloseTo(known.loss, 10)
    expect(hitProbability).toBeCloseTo(known.hitProbability, 12)
  })

  it('falls with his error and is 0 without a gap', () => {
    const losses = [0, 15, 60, 1000].map((tau) => noisyLook(40, { b: 40, tau, margin: 20 }).loss)
    expect(losses.toSorted((a, b) => b - a)).toEqual(losses)
    expect(noisyLook(0, { b: 0, tau: 0, margin: 0 })).toEqual({ loss: 0, hitProbability: 0 })
  })
})
