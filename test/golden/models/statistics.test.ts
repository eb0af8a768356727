import { describe, expect, test } from 'vitest'
import { answerOf } from '../../support/model-answer.ts'

describe('published figures of statistics', () => {
  test('quant.md 2.5: SR0 .113172 a day and deflated Sharpe .9004 of 2.5 a year over 1250 days and 100 trials', () => {
    const params = {
      sharpe: 2.5,
      periodsPerYear: 250,
      n: 1250,
      skew: -3,
      kurtosis: 10,
      trialVariance: 0.5,
      trials: 100,
    }
    const { sr0, dsr } = answerOf('deflated-sharpe', params)
    expect(sr0).toBeCloseTo(0.113172, 6)
    expect(dsr).toBeCloseTo(0.9004, 4)
  })
})
