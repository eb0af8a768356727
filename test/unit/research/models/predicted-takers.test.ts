import { expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/random.ts'
import type { Intensity } from '../../../../src/core/models/calibration.ts'
import { intensitySample } from '../../../../src/research/models/intensity-sample.ts'
import { countBand, drawnBand, predictTakers } from '../../../../src/research/models/predicted-takers.ts'

const exactly = (value: number) => ({ value, low: value, high: value })

function known(more: Partial<Intensity> = {}): Intensity {
  const method = 'likelihood'
  return {
    a: exactly(40),
    k: exactly(1 / 60),
    fills: 1e9,
    exposureDays: 7,
    method,
    overdispersion: 1,
    ...more,
  }
}

const WEEK = intensitySample(
  [
    { days: 4, weight: 1, bps: 60 },
    { days: 6, weight: 0.5, bps: 30 },
  ],
  [],
)

test('an intensity without error expects A exp(-k delta) times the exposure, at the spreads weighted by it', () => {
  const { counts, meanBps } = predictTakers(known(), WEEK, seededRandom(1, 'takers'))
  const [wide, narrow] = [4 * 40 * Math.exp(-1), 3 * 40 * Math.exp(-0.5)]
  expect(drawnBand(counts)).toEqual({
    value: expect.closeTo(wide + narrow, 6),
    low: expect.closeTo(wide + narrow, 6),
    high: expect.closeTo(wide + narrow, 6),
  })
  expect(meanBps[0]).toBeCloseTo((60 * wide + 30 * narrow) / (wide + narrow), 6)
})

test('the band of a known mean is that of a Poisson count: 5 to 15 for a mean of 10, as in its tables', () => {
  const means = new Float64Array(10).fill(10)
  expect(countBand(means, 1, seededRandom(1, 'band'))).toEqual({ value: 10, low: 5, high: 15 })
})

test('counts that scatter twice as much as Poisson have a band that is about twice as wide', () => {
  const means = new Float64Array(1000).fill(400)
  const width = (overdispersion: number) => {
    const { low, high } = countBand(means, overdispersion, seededRandom(1, 'band'))
    return high - low
  }
  expect(width(2) / width(1)).toBeGreaterThan(1.8)
  expect(width(2) / width(1)).toBeLessThan(2.2)
})

test('no exposure expects no fills, and has no spread', () => {
  const { counts, meanBps } = predictTakers(known(), intensitySample([], []), seededRandom(1, 'none'))
  expect(countBand(counts, 1, seededRandom(1, 'none'))).toEqual({ value: 0, low: 0, high: 0 })
  expect(meanBps.length).toBe(0)
})

test('where k is only the prior the draws pass through the measured rate at the quoted spread', () => {
  const prior = known({
    a: { value: 70, low: 20, high: 160 },
    k: { value: 0.02, low: 0.005, high: 0.05 },
    fills: 100,
    priorOnly: ['k'],
    quotedRate: { bps: 60, perDay: { value: 14, low: 12, high: 17 } },
  })
  const at = (bps: number) => {
    const sample = intensitySample([{ days: 7, weight: 1, bps }], [])
    return drawnBand(predictTakers(prior, sample, seededRandom(1, 'quoted')).counts)
  }
  expect(at(60).value / 98).toBeCloseTo(1, 1)
  expect(Math.log(at(60).high / at(60).low)).toBeCloseTo(2 * 1.645 * 0.1, 1)
  // Away from it nothing was measured.
  expect(Math.log(at(120).high / at(120).low)).toBeGreaterThan(1)
})
