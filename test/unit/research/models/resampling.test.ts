import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawNormal, seededRandom } from '../../../../src/base/random.ts'
import { bootstrapInterval, clusteredRatio } from '../../../../src/core/models/intervals.ts'
import { halfLife, quantile, quantileOfUnsorted } from '../../../../src/core/models/sample-statistics.ts'

function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum / values.length
}

function autoregression(count: number, phi: number, label: string): Float64Array {
  const random = seededRandom(11, label)
  const series = new Float64Array(count)
  let last = 0
  for (let i = 0; i < count; i++) series[i] = last = phi * last + drawNormal(random)
  return series
}

describe('the quantile', () => {
  it('lies between neighbours in proportion, and stays inside the sample', () => {
    expect(quantile([1, 2, 4, 8], 0.5)).toBe(3)
    expect(quantile([1, 2, 4, 8], 0.25)).toBe(1.75)
    expect([quantile([1, 2], -1), quantile([1, 2], 2), quantile([7], 0.3)]).toEqual([1, 2, 7])
  })

  it('of values in any order equals that of the sorted ones to the last bit, also after another one', () => {
    const some = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    )
    const shares = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.05, 0.95, 1))
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 200 }), shares, (list, [one, other]) => {
        const values = Float64Array.from(list, (value) => value + 0)
        const sorted = values.slice().sort()
        expect(quantileOfUnsorted(values, one)).toBe(quantile(sorted, one))
        expect(quantileOfUnsorted(values, other)).toBe(quantile(sorted, other))
        expect(values.slice().sort()).toEqual(sorted)
      }),
    )
  })
})

describe('the stationary block bootstrap', () => {
  const options = { replicates: 200 }

  it('draws the same for the same seed and leaves the values as they were', () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6]
    const of = (seed: number) =>
      bootstrapInterval(values, mean, { ...options, random: seededRandom(seed, 'b') })
    expect(of(1)).toEqual(of(1))
    expect(of(1)).not.toEqual(of(2))
    expect(values).toEqual([3, 1, 4, 1, 5, 9, 2, 6])
  })

  it('says nothing about fewer than two values or a statistic that is no number', () => {
    const random = seededRandom(1, 'b')
    expect(bootstrapInterval([1], mean, { random })).toBeNull()
    expect(bootstrapInterval([1, 2], () => Number.NaN, { random })).toBeNull()
  })

  it('leaves resamples on which the statistic is no number out of the interval', () => {
    const ratio = (values: Float64Array) => (values[0] === values[1] ? Number.NaN : (values[0] ?? 0))
    const found = bootstrapInterval([1, 2], ratio, { ...options, random: seededRandom(4, 'b'), meanBlock: 1 })
    expect(found).toEqual({ value: 1, low: 1, high: 2 })
  })

  it('covers the mean of independent values nine times in ten', () => {
    let covered = 0
    for (let seed = 0; seed < 300; seed++) {
      const random = seededRandom(seed, 'values')
      const values = Float64Array.from({ length: 60 }, () => drawNormal(random))
      const { low, high } = bootstrapInterval(values, mean, { ...options, random, meanBlock: 1 }) ?? {
        low: 1,
        high: 0,
      }
      if (low <= 0 && 0 <= high) covered++
    }
    // 300 trials of .9: 5 standard deviations are 26.
    expect(covered).toBeGreaterThan(244)
    expect(covered).toBeLessThan(296)
  })

  it('sees with blocks that what follows what makes a mean less sure', () => {
    const series = autoregression(4_000, 0.8, 'series')
    const width = (meanBlock: number) => {
      const found = bootstrapInterval(series, mean, {
        replicates: 200,
        random: seededRandom(1, 'b'),
        meanBlock,
      })
      return (found?.high ?? 0) - (found?.low ?? 0)
    }
    // An autoregression of .8 widens the error of the mean sqrt((1 + .8) / (1 - .8)) = 3 times.
    expect(width(50) / width(1)).toBeGreaterThan(2.4)
    expect(width(50) / width(1)).toBeLessThan(3.6)
  })
})

describe('a mean by clusters', () => {
  it('is the ratio of the sums, with the interval computed by hand', () => {
    // value 12 / 6 = 2; residuals 1, -1, 0; se = sqrt(3 / 2 * 2) / 6; t(.95, 2) = 2.919986
    const found = clusteredRatio([
      { sum: 3, weight: 1 },
      { sum: 5, weight: 3 },
      { sum: 4, weight: 2 },
    ])
    expect(found?.value).toBe(2)
    expect(found?.clusters).toBe(3)
    const reach = (2.919985580353726 * Math.sqrt(3)) / 6
    expect(found?.interval?.[0]).toBeCloseTo(2 - reach, 10)
    expect(found?.interval?.[1]).toBeCloseTo(2 + reach, 10)
  })

  it('has no interval with one cluster and no value without weight', () => {
    expect(clusteredRatio([{ sum: 3, weight: 2 }])).toEqual({ value: 1.5, interval: null, clusters: 1 })
    expect(clusteredRatio([])).toBeNull()
    expect(clusteredRatio([{ sum: 0, weight: 0 }])).toBeNull()
  })

  it('covers the truth where fills of one print share its move, which counting fills does not', () => {
    let clustered = 0
    let naive = 0
    for (let seed = 0; seed < 400; seed++) {
      const random = seededRandom(seed, 'prints')
      const prints = Array.from({ length: 12 }, () => {
        const move = 20 * drawNormal(random)
        return Array.from({ length: 1 + Math.floor(8 * random()) }, () => move + 5 * drawNormal(random))
      })
      const covers = (clusters: readonly (readonly number[])[]) => {
        const found = clusteredRatio(
          clusters.map((each) => ({ sum: mean(each) * each.length, weight: each.length })),
        )
        return found?.interval != null && found.interval[0] <= 0 && 0 <= found.interval[1]
      }
      if (covers(prints)) clustered++
      if (covers(prints.flat().map((each) => [each]))) naive++
    }
    expect(clustered / 400).toBeGreaterThan(0.84)
    expect(clustered / 400).toBeLessThan(0.95)
    expect(naive / 400).toBeLessThan(0.7)
  })
})

describe('the half-life', () => {
  it('of a deviation that halves with every step is one step', () => {
    expect(halfLife([64, 32, 16, 8, 4, 2, 1])).toBeCloseTo(1, 12)
    expect(halfLife([10, 9, 8.1, 7.29, 6.561].map((each) => each + 100))).toBeCloseTo(
      Math.LN2 / -Math.log(0.9),
      9,
    )
  })

  it('of a noisy autoregression is found again', () => {
    expect(halfLife(autoregression(20_000, 0.7, 'noise'))).toBeCloseTo(Math.LN2 / -Math.log(0.7), 1)
  })

  it('is null where nothing reverts, nothing changes or there is too little', () => {
    expect(halfLife([1, 2, 4, 8, 16])).toBeNull()
    expect(halfLife([5, 5, 5, 5])).toBeNull()
    expect(halfLife([5, 4])).toBeNull()
  })

  it('is nothing where a deviation is over within a step', () => {
    expect(halfLife([1, -1, 1, -1, 1])).toBe(0)
  })
})
