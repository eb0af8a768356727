import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitIntensity, profileLogLikelihood } from '../../../src/research/models/fit-intensity.ts'
import { intensityPosterior } from '../../../src/research/models/intensity-posterior.ts'
import {
  intensitySample,
  type Exposure,
  type FillCount,
} from '../../../src/research/models/intensity-sample.ts'
import { poissonInterval } from '../../../src/core/models/distributions.ts'

const exposure: fc.Arbitrary<Exposure> = fc.record({
  bps: fc.integer({ min: 10, max: 500 }),
  days: fc.double({ min: 1e-6, max: 400, noNaN: true }),
  weight: fc.constantFrom(0, 0.5, 1),
})

/** Exposures, and fills at some of their spreads. */
const history: fc.Arbitrary<{ exposures: readonly Exposure[]; fills: readonly FillCount[] }> = fc
  .array(exposure, { minLength: 1, maxLength: 12 })
  .chain((exposures) =>
    fc.record({
      exposures: fc.constant(exposures),
      fills: fc.array(
        fc.record({
          bps: fc.constantFrom(...exposures.map(({ bps }) => bps)),
          count: fc.integer({ min: 0, max: 5000 }),
        }),
        { maxLength: 12 },
      ),
    }),
  )

const sampleOf = ({ exposures, fills }: { exposures: readonly Exposure[]; fills: readonly FillCount[] }) =>
  intensitySample(exposures, fills)

describe('an intensity, whatever was quoted and filled', () => {
  it('has finite figures inside their intervals, by likelihood where it exists and always by posterior', () => {
    fc.assert(
      fc.property(history, fc.double({ min: 1, max: 5, noNaN: true }), (past, scatter) => {
        const sample = sampleOf(past)
        const fit = fitIntensity(sample, scatter)
        const found = [intensityPosterior(sample, scatter), ...(fit === null ? [] : [fit])]
        for (const { a, k } of found) {
          for (const { value, low, high } of [a, k]) {
            expect([value, low, high].every(Number.isFinite)).toBe(true)
            expect(low).toBeLessThanOrEqual(value)
            expect(high).toBeGreaterThanOrEqual(value)
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  it('counts the same in any order and however it was cut into pieces', () => {
    fc.assert(
      fc.property(history, fc.double({ min: 0.1, max: 0.9, noNaN: true }), (past, cut) => {
        const shuffled = {
          exposures: past.exposures
            .toReversed()
            .flatMap((each) => [cut, 1 - cut].map((part) => ({ ...each, days: each.days * part }))),
          fills: past.fills.toReversed(),
        }
        const [one, other] = [fitIntensity(sampleOf(past)), fitIntensity(sampleOf(shuffled))]
        expect(other === null).toBe(one === null)
        if (one === null || other === null) return
        expect(Math.abs(other.k.value - one.k.value)).toBeLessThan(1e-8 * (1 + Math.abs(one.k.value)))
        expect(Math.abs(Math.log(other.a.value / one.a.value))).toBeLessThan(1e-5)
      }),
    )
  })

  it('over twice the time with the same fills has half the A and the same k', () => {
    fc.assert(
      fc.property(history, (past) => {
        const slower = {
          ...past,
          exposures: past.exposures.map((each) => ({ ...each, days: 2 * each.days })),
        }
        const [one, other] = [fitIntensity(sampleOf(past)), fitIntensity(sampleOf(slower))]
        if (one === null || other === null) return
        expect(Math.abs(other.k.value - one.k.value)).toBeLessThan(1e-8 * (1 + Math.abs(one.k.value)))
        expect(Math.abs(Math.log((2 * other.a.value) / one.a.value))).toBeLessThan(1e-5)
        expect(Math.abs(Math.log(other.seOfK / one.seOfK))).toBeLessThan(1e-5)
      }),
    )
  })

  it('has a likelihood that only falls on the way from the estimate, on both sides', () => {
    fc.assert(
      fc.property(history, fc.double({ min: 0.01, max: 2, noNaN: true }), (past, step) => {
        const sample = sampleOf(past)
        const fit = fitIntensity(sample)
        if (fit === null) return
        for (const direction of [-1, 1]) {
          const along = [0, 1, 2, 3].map((i) =>
            profileLogLikelihood(sample, fit.k.value + direction * i * step * fit.seOfK),
          )
          for (let i = 1; i < along.length; i++) {
            expect(along[i]).toBeLessThanOrEqual((along[i - 1] ?? 0) + 1e-7 * Math.abs(along[0] ?? 0) + 1e-9)
          }
        }
      }),
    )
  })
})

describe('the Poisson interval, whatever was counted', () => {
  it('holds the count and grows with it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.double({ min: 0.5, max: 0.999, noNaN: true }),
        (count, level) => {
          const { low, high } = poissonInterval(count, level)
          expect(low).toBeLessThanOrEqual(count)
          expect(high).toBeGreaterThan(count)
          expect(poissonInterval(count + 1, level).low).toBeGreaterThan(low)
        },
      ),
    )
  })
})
