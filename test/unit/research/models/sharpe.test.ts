import { describe, expect, it } from 'vitest'
import { drawExponential, seededRandom } from '../../../../src/base/random.ts'
import {
  deflatedSharpe,
  expectedMaximumSharpe,
  probabilisticSharpe,
  sharpeRatio,
} from '../../../../src/research/models/sharpe.ts'
import { moments } from '../../../../src/core/models/sample-statistics.ts'

describe('moments', () => {
  it('of a small sample are those computed by hand', () => {
    // 2, 4, 4, 10: mean 5, squares 9 1 1 25, cubes -27 -1 -1 125, fourths 81 1 1 625
    const { count, mean, sd, skewness, kurtosis } = moments([2, 4, 4, 10])
    expect([count, mean]).toEqual([4, 5])
    expect(sd).toBeCloseTo(Math.sqrt(12), 14)
    expect(skewness).toBeCloseTo(24 / 27, 14)
    expect(kurtosis).toBeCloseTo(177 / 81, 14)
  })

  it('of values that do not scatter are plain, however they were rounded', () => {
    expect(moments([])).toEqual({ count: 0, mean: 0, sd: 0, skewness: 0, kurtosis: 3 })
    expect(moments(Array.from({ length: 7 }, () => 0.1)).sd).toBe(0)
  })
})

describe('the Sharpe ratio', () => {
  // quant.md section 2.5: 2.5 a year over 1250 days, 250 days a year.
  const sample = { perDay: 2.5 / Math.sqrt(250), days: 1250, skewness: -3, kurtosis: 10 }
  const trials = { count: 100, varianceOfSharpe: 0.5 / 250 }

  it('of the luckiest of a hundred worthless variants is the published one', () => {
    expect(expectedMaximumSharpe(trials)).toBeCloseTo(0.113172, 6)
    expect(expectedMaximumSharpe({ count: 1, varianceOfSharpe: 1 })).toBe(0)
  })

  it('deflated by a hundred trials is the published probability', () => {
    expect(deflatedSharpe(sample, trials)).toBeCloseTo(0.9004, 4)
    expect(deflatedSharpe(sample, { ...trials, count: 1 })).toBe(probabilisticSharpe(sample, 0))
  })

  it('has nothing to say about too few days or days without scatter', () => {
    expect(sharpeRatio([1, 2])).toBeNull()
    expect(sharpeRatio([3, 3, 3, 3])).toBeNull()
  })

  it('of two-valued days is still a number with an error', () => {
    const found = sharpeRatio([-1, 3, -1, 3, 3])
    expect(Number.isFinite(found?.probabilistic)).toBe(true)
    expect(found?.se).toBeGreaterThan(0)
  })

  it('has the error that its own scatter over many skewed samples shows', () => {
    const random = seededRandom(3, 'sharpe')
    const found = Array.from({ length: 2000 }, () =>
      // Mean .3, sd 1, skewed to the left as a market maker's days are.
      sharpeRatio(Float64Array.from({ length: 200 }, () => 1.3 - drawExponential(random))),
    )
    const scatter = moments(found.map((each) => each?.perDay ?? 0)).sd
    const stated = moments(found.map((each) => each?.se ?? 0)).mean
    expect(stated / scatter).toBeGreaterThan(0.93)
    expect(stated / scatter).toBeLessThan(1.07)
  })
})
