import { describe, expect, it } from 'vitest'
import { leakedLook } from '../../../../../src/research/models/flow/leak.ts'
import { noisyLook } from '../../../../../src/core/models/flow/pick-off.ts'

const TAKER = { b: 40, tau: 15, margin: 20 }

describe('the mean look between two publications', () => {
  it('is that of one moment where the gap does not move', () => {
    const { loss, hitProbability } = leakedLook({ s0: 50, sigma: 0, days: 3 }, TAKER)
    const moment = noisyLook(50, TAKER)
    expect(loss).toBeCloseTo(moment.loss, 12)
    expect(hitProbability).toBeCloseTo(moment.hitProbability, 12)
  })

  it('is the average over the time, as a sum of many moments gives it', () => {
    const gap = { s0: 16.84, sigma: 21.3, days: 3 }
    const moments = Array.from({ length: 4_000 }, (_, i) =>
      noisyLook(Math.sqrt(gap.s0 ** 2 + (gap.sigma ** 2 * gap.days * (i + 0.5)) / 4_000), TAKER),
    )
    const mean = moments.reduce((sum, { loss }) => sum + loss, 0) / moments.length
    expect(leakedLook(gap, TAKER).loss).toBeCloseTo(mean, 6)
  })

  it('is a number at both ends of what is admitted', () => {
    for (const s0 of [0, 1e3])
      for (const sigma of [0, 1e3])
        for (const b of [0, 1e3]) {
          const { loss, hitProbability } = leakedLook({ s0, sigma, days: 365 }, { b, tau: 0, margin: 0 })
          expect(loss >= -1e-12 && Number.isFinite(loss)).toBe(true)
          expect(hitProbability >= 0 && hitProbability <= 1).toBe(true)
        }
  })
})
