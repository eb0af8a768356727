import { describe, expect, test } from 'vitest'
import {
  expectedMaximum,
  holm,
  luckOfTheBest,
} from '../../../src/research/models/statistics/many-comparisons.ts'
import { answerOf, figure } from '../../support/model-answer.ts'

describe('the deflated Sharpe ratio of Bailey and Lopez de Prado', () => {
  test('quant.md 2.5: SR0 .113172 a day and deflated Sharpe .9004 of 2.5 a year over 1250 days and 100 trials', () => {
    const sample = { sharpe: 2.5, periodsPerYear: 250, n: 1250, skew: -3, kurtosis: 10 }
    const { sr0, dsr } = answerOf('deflated-sharpe', { ...sample, trialVariance: 0.5, trials: 100 })
    expect(sr0).toBeCloseTo(0.113172, 6)
    expect(dsr).toBeCloseTo(0.9004, 4)
  })
})

describe('the statistics of the tournament, market.md 5', () => {
  test('exact step-down by all 256 sign flips: |t| 3.4941, 1.4817, .9075; p 6, 54, 116 and adjusted 14, 84, 116 of 256', () => {
    const differences = {
      A: [120, 80, -30, 150, 60, 90, 10, 140],
      B: [40, -20, 70, 10, -50, 90, 30, 20],
      C: [-60, 30, -10, 20, -40, 10, -30, 0],
    }
    const answer = answerOf('compare', { differences })
    const rows = ['A', 'B', 'C'].map((name) =>
      ['p', 'stepdown'].map((key) => 256 * figure(answer, `${name}.${key}`)),
    )
    expect(rows).toEqual([
      [6, 14],
      [54, 84],
      [116, 116],
    ])
    expect(figure(answer, 'A.t')).toBeCloseTo(3.4941, 4)
    expect(figure(answer, 'B.t')).toBeCloseTo(1.4817, 4)
    expect(figure(answer, 'C.t')).toBeCloseTo(-0.9075, 4)
  })

  test('Holm of .0004, .0021, .006, .011, .03 is .002, .0084, .018, .022, .03', () => {
    const adjusted = holm([0.0004, 0.0021, 0.006, 0.011, 0.03])
    for (const [index, p] of [0.002, 0.0084, 0.018, 0.022, 0.03].entries())
      expect(adjusted[index]).toBeCloseTo(p, 12)
  })

  test('the mean maximum of 25 normals is 1.96531 and of 100 is 2.50759; 25 variants, sd 400, 30 seeds: 143.53', () => {
    expect(expectedMaximum(25)).toBeCloseTo(1.96531, 5)
    expect(expectedMaximum(100)).toBeCloseTo(2.50759, 5)
    expect(luckOfTheBest(400, 30, 25)).toBeCloseTo(143.53, 2)
  })
})

describe('doubt about k in the objective, market.md 4.7', () => {
  test('alpha 4, beta 240, cost 20: 106.6667 bps, the plug-in 80 keeps .95356 of the value', () => {
    const answer = answerOf('posterior-spread', { alpha: 4, beta: 240, cost: 20 })
    expect(figure(answer, 'bps')).toBeCloseTo(106.6667, 4)
    expect(figure(answer, 'plugIn')).toBeCloseTo(80, 12)
    expect(figure(answer, 'plugInKeeps')).toBeCloseTo(0.95356, 5)
  })
})
