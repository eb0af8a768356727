import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conditionGap, type Reading } from '../../../../../src/research/models/fair-value/fair-value.ts'

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const anyReading: fc.Arbitrary<Reading> = fc.record({
  t: real(-5, 5),
  value: real(-500, 500),
  sd: real(1, 200),
})
const anyState = fc.record({
  sigma: real(0, 100),
  prior: fc.record({ mean: real(-200, 200), variance: real(0, 1e4) }),
  at: real(-5, 5),
})

describe('the gap given readings', () => {
  it('without any is the prior with an error that grows', () => {
    const prior = { mean: 7, variance: 100 }
    expect(conditionGap({ sigma: 20, prior, at: 0 }, [])).toEqual(prior)
    expect(conditionGap({ sigma: 20, prior, at: 1 }, [])).toEqual({ mean: 7, variance: 500 })
  })

  it('is the same in whatever order they arrive', () => {
    fc.assert(
      fc.property(anyState, fc.array(anyReading, { maxLength: 6 }), (state, readings) => {
        expect(conditionGap(state, readings.toReversed())).toEqual(conditionGap(state, readings))
      }),
    )
  })

  it('is that of the joint normal law of all of them', () => {
    fc.assert(
      fc.property(anyState, fc.array(anyReading, { minLength: 1, maxLength: 4 }), (state, readings) => {
        const { mean, variance } = conditionGap(state, readings)
        const joint = conditionJointly(state, readings)
        expect(Math.abs(mean - joint.mean)).toBeLessThan(1e-6)
        expect(Math.abs(variance - joint.variance) / (1 + joint.variance)).toBeLessThan(1e-7)
      }),
    )
  })

  it('is known no worse for one reading more', () => {
    fc.assert(
      fc.property(anyState, fc.array(anyReading, { maxLength: 4 }), anyReading, (state, readings, more) => {
        const [before, after] = [conditionGap(state, readings), conditionGap(state, [...readings, more])]
        expect(after.variance).toBeLessThanOrEqual(before.variance * (1 + 1e-12) + 1e-300)
      }),
    )
  })

  it('is the prior where that is certain and nothing moves', () => {
    const certain = { sigma: 0, prior: { mean: 5, variance: 0 }, at: 2 }
    expect(conditionGap(certain, [{ t: 1, value: 90, sd: 1 }])).toEqual({ mean: 5, variance: 0 })
  })

  it('uses a late reading for the time before it, too', () => {
    const state = { sigma: 20, prior: { mean: 0, variance: 400 }, at: 1 }
    const { mean, variance } = conditionGap(state, [{ t: 2, value: 50, sd: 10 }])
    expect(mean).toBeGreaterThan(20)
    expect(variance).toBeLessThan(800)
  })
})

type State = Parameters<typeof conditionGap>[0]

/** The textbook way: cov(g(s), g(t)) = prior variance + sigma^2 min(|s|, |t|) on one side of 0, solved as one system. */
function conditionJointly({ sigma, prior, at }: State, readings: readonly Reading[]) {
  const cov = (s: number, t: number) =>
    prior.variance + (s * t > 0 ? sigma ** 2 * Math.min(Math.abs(s), Math.abs(t)) : 0)
  const system = readings.map(({ t, sd }, i) =>
    readings.map((other, j) => cov(t, other.t) + (i === j ? sd ** 2 : 0)),
  )
  const toNow = readings.map(({ t }) => cov(t, at))
  const weights = solve(system, toNow)
  return {
    mean: readings.reduce((sum, { value }, i) => sum + weights[i]! * (value - prior.mean), prior.mean),
    variance: weights.reduce((left, weight, i) => left - weight * toNow[i]!, cov(at, at)),
  }
}

/** Gauss elimination of a positive definite system. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  for (const [i, pivot] of rows.entries())
    for (const [j, row] of rows.entries()) {
      if (i === j) continue
      const factor = row[i]! / pivot[i]!
      for (let column = i; column < row.length; column++) row[column] = row[column]! - factor * pivot[column]!
    }
  return rows.map((row, i) => row.at(-1)! / row[i]!)
}
