import { describe, expect, it } from 'vitest'
import { drawNormal, seededRandom } from '../../../../src/base/random.ts'
import {
  fitPublishedRate,
  type PublishedRate,
  publishedStepMoments,
} from '../../../../src/models/fair-value/published-steps.ts'
import { moments } from '../../../../src/models/sample-statistics.ts'

const NORMAL: PublishedRate = { sigma: 21.3, kappa: 0.65, noise: 7 }
const WILD: PublishedRate = { sigma: 30, kappa: 0.35, noise: 17 }

/** Steps of a rate whose updates follow the mean of the day before, moved in 24 steps a day. */
function drawSteps({ sigma, kappa, noise }: PublishedRate, count: number, seed: number): readonly number[] {
  const random = seededRandom(seed, 'published')
  let [rate, level, published] = [0, 0, 0]
  const steps = Array.from({ length: count + 50 }, () => {
    let mean = 0
    for (let hour = 0; hour < 24; hour++) {
      const before = rate
      rate += sigma * Math.sqrt(1 / 24) * drawNormal(random)
      mean += (before + rate) / 48
    }
    level += kappa * (mean - level)
    const next = level + noise * drawNormal(random)
    const step = next - published
    published = next
    return step
  })
  return steps.slice(50)
}

describe('the steps of a published rate', () => {
  it('have the sd and the autocorrelation of the formula when they are simulated', () => {
    for (const rate of [NORMAL, WILD]) {
      const steps = drawSteps(rate, 40_000, 1)
      const { sd } = moments(steps)
      const lagged = steps.slice(1).reduce((sum, step, i) => sum + step * steps[i]!, 0) / steps.length
      const expected = publishedStepMoments(rate)
      expect(Math.abs(sd / expected.sd - 1)).toBeLessThan(0.02)
      expect(Math.abs(lagged / sd ** 2 - expected.autocorrelation)).toBeLessThan(0.02)
    }
  })

  it('of a rate that is published as it is are those of a mean over a day', () => {
    const { sd, autocorrelation } = publishedStepMoments({ sigma: 30, kappa: 1, noise: 0 })
    expect(sd).toBeCloseTo(30 * Math.sqrt(2 / 3), 12)
    expect(autocorrelation).toBeCloseTo(1 / 4, 12)
  })

  it('do not exist for a rate that stands still', () => {
    expect(publishedStepMoments({ sigma: 0, kappa: 0.5, noise: 0 })).toEqual({ sd: 0, autocorrelation: 0 })
  })
})

describe('the fit of a published rate', () => {
  it('finds sigma, kappa and noise from many steps', () => {
    for (const rate of [NORMAL, WILD]) {
      const fit = fitPublishedRate(drawSteps(rate, 4_000, 2))
      expect(Math.abs(fit!.sigma.value / rate.sigma - 1)).toBeLessThan(0.05)
      expect(Math.abs(fit!.kappa.value - rate.kappa)).toBeLessThan(0.08)
      expect(Math.abs(fit!.noise.value - rate.noise)).toBeLessThan(1.5)
    }
  })

  it('has 90 % intervals that hold the truth in 80 to 100 % of years', () => {
    const names = ['sigma', 'kappa', 'noise'] as const
    const held = names.map(() => 0)
    for (let seed = 0; seed < 40; seed++) {
      const fit = fitPublishedRate(drawSteps(NORMAL, 250, seed))
      for (const [i, name] of names.entries()) {
        const { low, high } = fit![name]
        if (low <= NORMAL[name] && NORMAL[name] <= high) held[i] = held[i]! + 1
      }
    }
    expect(Math.min(...held)).toBeGreaterThanOrEqual(32)
  })

  it('does not change with a drift', () => {
    const steps = drawSteps(NORMAL, 200, 3)
    const [plain, drifting] = [fitPublishedRate(steps), fitPublishedRate(steps.map((step) => step + 9))]
    expect(drifting!.sigma.value).toBeCloseTo(plain!.sigma.value, 6)
    expect(drifting!.kappa.value).toBeCloseTo(plain!.kappa.value, 6)
  })

  it('is none for too few steps and for steps without scatter', () => {
    expect(fitPublishedRate(drawSteps(NORMAL, 19, 1))).toBeNull()
    expect(fitPublishedRate(Array.from({ length: 50 }, () => 3))).toBeNull()
    expect(fitPublishedRate(Array.from({ length: 50 }, () => 0))).toBeNull()
  })
})
