import { describe, expect, it } from 'vitest'
import { normalDensity } from '../../../../../src/core/models/distributions.ts'
import {
  distanceTable,
  independentLooks,
  type PoolTakers,
} from '../../../../../src/core/models/policy/distance-table.ts'

const TAKERS: PoolTakers = {
  k: 1 / 80,
  kShape: null,
  midShare: 0.3,
  informed: { perDay: 2, marginBps: 20, errorBps: 15 },
}

/** The mean of a figure over a normal law, by the trapezium rule. */
function mean(figure: (z: number) => number): number {
  const step = 0.001
  let sum = 0
  for (let z = -8; z <= 8; z += step) sum += figure(z) * normalDensity(z) * step
  return sum
}

describe('the table of distances', () => {
  const tau = 25
  const table = distanceTable(TAKERS, tau)
  const at = (figures: Float64Array, bps: number) => figures[bps - table.fromBps]!

  it('has what customers with eyes accept and bring, averaged over the error of the estimate', () => {
    for (const d of [-60, -10, 0, 15, 60, 200]) {
      const accepts = (z: number) => Math.min(1, Math.exp(-(d - tau * z) / 80))
      expect(at(table.accepted, d)).toBeCloseTo(mean(accepts), 5)
      expect(at(table.earned, d)).toBeCloseTo(
        mean((z) => accepts(z) * (d - tau * z)),
        3,
      )
    }
  })

  it('has what an informed taker takes and costs, averaged over the error of the estimate and his own', () => {
    const own = Array.from({ length: 41 }, (_, i) => (i - 20) / 4)
    const weight = own.reduce((sum, z) => sum + normalDensity(z), 0)
    for (const d of [-40, 0, 30, 60]) {
      const takes = (z: number, error: number) => (tau * z + 15 * error > d + 20 ? 1 : 0)
      const over = (figure: (z: number, error: number) => number) =>
        own.reduce((sum, error) => sum + normalDensity(error) * mean((z) => figure(z, error)), 0) / weight
      expect(at(table.hits, d)).toBeCloseTo(over(takes), 2)
      expect(at(table.losses, d)).toBeCloseTo(
        over((z, error) => takes(z, error) * (tau * z - d)),
        0,
      )
    }
  })

  it('accepts more of wide spreads where k is doubtful, with the same mean k', () => {
    const doubtful = distanceTable({ ...TAKERS, kShape: 4 }, tau)
    expect(at(doubtful.accepted, 200)).toBeGreaterThan(at(table.accepted, 200))
    expect(at(doubtful.accepted, -400)).toBeCloseTo(1, 6)
  })

  it('averages over k as the closed form of a Gamma does, to a few in a thousand near the fair value', () => {
    const exact = distanceTable({ ...TAKERS, kShape: 16 }, 0)
    for (const bps of [10, 40, 80])
      expect(exact.acceptedFromMid[bps - 10]).toBeCloseTo((1 + bps / 80 / 16) ** -16, 2)
  })

  it('has no figure that is not finite, for any k and error', () => {
    for (const k of [0.0001, 0.02, 1])
      for (const error of [0, 5, 500]) {
        const { accepted, earned, hits, losses } = distanceTable({ ...TAKERS, k }, error)
        for (const figures of [accepted, earned, hits, losses])
          expect(figures.every(Number.isFinite)).toBe(true)
      }
  })
})

describe('independent looks', () => {
  it('are all looks where errors are forgotten at once, and one a persistence time where looks are many', () => {
    expect(independentLooks(8, 0)).toBe(8)
    expect(independentLooks(1e9, 0.5)).toBeCloseTo(2, 6)
    expect(independentLooks(0, 0.5)).toBe(0)
  })
})
