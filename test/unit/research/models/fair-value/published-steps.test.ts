import { describe, expect, it } from 'vitest'
import {
  fitPublishedRate,
  publishedStepMoments,
} from '../../../../../src/research/models/fair-value/published-steps.ts'
import { moments } from '../../../../../src/core/models/sample-statistics.ts'
import { drawSteps, NORMAL, WILD } from '../../../../support/published-rate.ts'

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
      const fit = fitPublishedRate(drawSteps(rate, 1_000, 2))
      expect(Math.abs(fit!.sigma.value / rate.sigma - 1)).toBeLessThan(0.1)
      expect(Math.abs(fit!.kappa.value - rate.kappa)).toBeLessThan(0.16)
      expect(Math.abs(fit!.noise.value - rate.noise)).toBeLessThan(3)
    }
  })

  it('does not change with a drift', () => {
    const steps = drawSteps(NORMAL, 200, 3)
    const [plain, drifting] = [fitPublishedRate(steps), fitPublishedRate(steps.map((step) => step + 9))]
    expect(drifting!.sigma.value).toBeCloseTo(plain!.sigma.value, 6)
    expect(drifting!.kappa.value).toBeCloseTo(plain!.kappa.value, 6)
  })

  it('is null for too few steps and for steps without scatter', () => {
    expect(fitPublishedRate(drawSteps(NORMAL, 19, 1))).toBeNull()
    expect(fitPublishedRate(Array.from({ length: 50 }, () => 3))).toBeNull()
    expect(fitPublishedRate(Array.from({ length: 50 }, () => 0))).toBeNull()
  })
})
