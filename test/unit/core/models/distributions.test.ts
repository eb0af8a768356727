import { describe, expect, it } from 'vitest'
import { drawExponential, drawNormal, seededRandom } from '../../../../src/base/random.ts'
import { drawGamma } from '../../research/models/draw-gamma.ts'
import { drawPoisson } from '../../research/models/draw-poisson.ts'
import {
  gammaCdf,
  gammaQuantile,
  gammaTail,
  logGamma,
  normalCdf,
  normalQuantile,
  poissonInterval,
  studentQuantile,
} from '../../../../src/core/models/distributions.ts'
import { moments } from '../../../../src/core/models/sample-statistics.ts'

const PROBABILITIES = [1e-12, 1e-6, 0.001, 0.02, 0.05, 0.3, 0.5, 0.7, 0.95, 0.999, 1 - 1e-9]

describe('the gamma function', () => {
  it('is the factorial at whole numbers and the square root of pi at a half', () => {
    expect(Math.exp(logGamma(0.5))).toBeCloseTo(Math.sqrt(Math.PI), 13)
    for (let n = 1, factorial = 1; n <= 20; n++) {
      expect(Math.exp(logGamma(n)) / factorial).toBeCloseTo(1, 11)
      factorial *= n
    }
  })

  it('is below one half what the reflection says', () => {
    // Gamma(0.01) = 99.4325851191506
    expect(Math.exp(logGamma(0.01))).toBeCloseTo(99.4325851191506, 9)
  })
})

describe('the gamma distribution', () => {
  it('is the exponential law at shape 1 and a Poisson sum at whole shapes', () => {
    expect(gammaCdf(1, 0.7)).toBeCloseTo(1 - Math.exp(-0.7), 14)
    // P(Gamma(3) > x) = P(Poisson(x) <= 2)
    expect(gammaTail(3, 8)).toBeCloseTo(Math.exp(-8) * (1 + 8 + 32), 14)
    expect(gammaTail(3, 1)).toBeCloseTo(Math.exp(-1) * 2.5, 14)
  })

  it('has two tails that add up to one, and nothing below zero', () => {
    for (const shape of [0.3, 2, 50, 4000]) {
      for (const x of [0.01, 1, shape, 2 * shape])
        expect(gammaCdf(shape, x) + gammaTail(shape, x)).toBeCloseTo(1, 13)
    }
    expect([gammaCdf(2, -1), gammaTail(2, 0), gammaTail(2, Infinity)]).toEqual([0, 1, 0])
  })

  it('has quantiles that its distribution leads back from, for small and large shapes', () => {
    for (const shape of [0.2, 1, 3, 30, 5000]) {
      for (const probability of PROBABILITIES) {
        const back = gammaCdf(shape, gammaQuantile(probability, shape))
        expect(Math.abs(back / probability - 1)).toBeLessThan(1e-9)
      }
    }
    expect(gammaQuantile(0, 3)).toBe(0)
  })
})

describe('the normal distribution', () => {
  it("has the tables' values in both tails", () => {
    expect(normalCdf(1)).toBeCloseTo(0.8413447460685429, 14)
    expect(normalCdf(0)).toBe(0.5)
    expect(normalCdf(-8) / 6.22096057427178e-16).toBeCloseTo(1, 10)
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12)
    expect(normalQuantile(1e-20)).toBeCloseTo(-9.2623400898, 9)
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity])
  })

  it('has quantiles that its distribution leads back from', () => {
    for (const probability of PROBABILITIES) {
      expect(Math.abs(normalCdf(normalQuantile(probability)) / probability - 1)).toBeLessThan(1e-11)
    }
  })
})

describe("Student's quantile", () => {
  it.each([
    [0.95, 1, 6.313751514675043],
    [0.975, 1, 12.7062047361747],
    [0.95, 2, 2.919985580353726],
    [0.975, 5, 2.570581835636314],
    [0.95, 10, 1.812461122811676],
    [0.975, 31, 2.039513446396409],
    [0.95, 1000, 1.646378817285433],
    [0.05, 4, -2.131846786326649],
    [0.95, 20_000, 1.6448536],
  ])('of %d with %d degrees of freedom is %d', (probability, degrees, expected) => {
    expect(studentQuantile(probability, degrees)).toBeCloseTo(expected, 6)
  })
})

describe('the exact Poisson interval', () => {
  // Garwood's table: 95 % limits.
  it.each([
    [0, 0, 3.6888794541139363],
    [1, 0.025317807984289873, 5.571643390938897],
    [10, 4.795389, 18.390356],
    [100, 81.36399125, 121.62679379],
  ])('for %d is %d to %d', (count, low, high) => {
    const interval = poissonInterval(count, 0.95)
    expect(interval.low).toBeCloseTo(low, 6)
    expect(interval.high).toBeCloseTo(high, 6)
  })

  it('covers the truth at least as often as it says', () => {
    for (const mean of [0.5, 3, 12]) {
      let covered = 0
      for (let count = 0; count < 80; count++) {
        const { low, high } = poissonInterval(count)
        if (low <= mean && mean <= high)
          covered += Math.exp(count * Math.log(mean) - mean - logGamma(count + 1))
      }
      expect(covered).toBeGreaterThanOrEqual(0.9)
    }
  })
})

describe('draws', () => {
  const DRAWS = 40_000
  const sampleOf = (draw: () => number) => Array.from({ length: DRAWS }, draw)

  /** Kolmogorov-Smirnov: with so many draws a right law exceeds this once in a million seeds. */
  const FARTHEST = 2.7 / Math.sqrt(DRAWS)
  const farthest = (values: readonly number[], cdf: (x: number) => number) =>
    values
      .toSorted((a, b) => a - b)
      .reduce((worst, value, i) => Math.max(worst, Math.abs(cdf(value) - (i + 0.5) / DRAWS)), 0)

  it('from the exponential, normal and gamma laws follow their distributions', () => {
    const random = seededRandom(5, 'laws')
    expect(
      farthest(
        sampleOf(() => drawExponential(random)),
        (x) => gammaCdf(1, x),
      ),
    ).toBeLessThan(FARTHEST)
    expect(
      farthest(
        sampleOf(() => drawNormal(random)),
        normalCdf,
      ),
    ).toBeLessThan(FARTHEST)
    for (const shape of [0.4, 1, 7.5]) {
      expect(
        farthest(
          sampleOf(() => drawGamma(shape, random)),
          (x) => gammaCdf(shape, x),
        ),
      ).toBeLessThan(FARTHEST)
    }
  })

  it.each([0, 0.3, 4, 9.99, 10, 37, 2000])('from the Poisson law have mean and variance %d', (of) => {
    const random = seededRandom(6, 'poisson')
    const sample = sampleOf(() => drawPoisson(of, random))
    expect(sample.every((count) => Number.isInteger(count) && count >= 0)).toBe(true)
    expect(Math.abs(moments(sample).mean - of)).toBeLessThanOrEqual(5 * Math.sqrt(of / DRAWS))
    expect(Math.abs(moments(sample).sd ** 2 - of)).toBeLessThanOrEqual(
      5 * Math.sqrt((2 * of * of + of) / DRAWS),
    )
  })

  it('from the Poisson law have the right chance of every count', () => {
    const random = seededRandom(7, 'poisson')
    const sample = sampleOf(() => drawPoisson(12, random))
    let chiSquare = 0
    for (let count = 3; count <= 22; count++) {
      const expected = DRAWS * Math.exp(count * Math.log(12) - 12 - logGamma(count + 1))
      chiSquare += (sample.filter((drawn) => drawn === count).length - expected) ** 2 / expected
    }
    expect(gammaTail(10, chiSquare / 2)).toBeGreaterThan(1e-6)
  })
})
