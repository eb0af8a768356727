import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addEntry, bandedMatrix, solveBanded } from '../../../../../src/research/models/dealer/banded.ts'
import {
  type DealerMarket,
  hedgeThreshold,
  requestCost,
  stationaryValue,
  valueBefore,
} from '../../../../../src/research/models/dealer/dealer-control.ts'
import { bestQuote, quadraticClosure } from '../../../../../src/core/models/dealer/logistic-hits.ts'

const CURVE = { alpha: -0.3, beta: 5 }
const SMALL: DealerMarket = {
  flows: [1, 2, 5].map((size) => ({ curve: CURVE, size, perDay: 900 / size })),
  limit: 40,
  sigmaBps: 50,
  riskAversion: 0.002,
  hedge: { eta: 1e-5, phi: 0.1, impact: 0.005 },
}

function thetaOf(market: DealerMarket): Float64Array {
  const value = stationaryValue(market)
  if (value === null) throw new Error('the equation did not converge')
  return value.theta
}

describe('the value of a dealer’s inventory', () => {
  test('satisfies the stationary equation at every inventory', () => {
    const theta = thetaOf(SMALL)
    const gains = Array.from(theta, (here, row) => {
      const q = row - 40
      const requests = SMALL.flows.flatMap(({ curve, size, perDay }) =>
        [size, -size].map((move) => {
          const there = theta[row + move]
          return there === undefined ? 0 : size * perDay * bestQuote(curve, (here - there) / size).gainBps
        }),
      )
      const hedges = [1, -1].map((move) => {
        const there = theta[row + move]
        const worth = there === undefined ? 0 : there - here + move * 0.005 * q - 0.1
        return Math.max(0, worth) ** 2 / 4e-5
      })
      return [...requests, ...hedges].reduce((sum, gain) => sum + gain, (-0.002 * 2500 * q * q) / 2)
    })
    const rho = stationaryValue(SMALL)?.gainPerDay ?? NaN
    for (const gain of gains) expect(gain).toBeCloseTo(rho, 6)
  })

  test('is the same for both sides, falls away from none, and falls ever faster', () => {
    const theta = thetaOf(SMALL)
    for (let q = 1; q <= 40; q++) {
      const [here = 0, mirror = 0, inner = 0] = [theta[40 + q], theta[40 - q], theta[39 + q]]
      expect(here).toBeCloseTo(mirror, 8)
      expect(here).toBeLessThan(inner)
      if (q < 40) expect((theta[41 + q] ?? 0) - here).toBeLessThan(here - inner + 1e-9)
    }
  })

  test('near none is that of the quadratic closure, where little risk is disliked and hedging costs too much', () => {
    const market = { ...SMALL, riskAversion: 1e-6, limit: 300, hedge: { eta: 1e-5, phi: 100, impact: 0 } }
    const value = stationaryValue(market)
    const a = quadraticClosure(market.flows, market.riskAversion, market.sigmaBps)
    expect((value === null ? null : requestCost(value, 0, 1)) ?? NaN).toBeCloseTo(a / 2, 5)
  })

  test('lets a request that brings inventory back be dealt tighter than one that adds to it', () => {
    const value = stationaryValue(SMALL)
    if (value === null) throw new Error('the equation did not converge')
    const quotes = [-10, -5, 0, 5, 10].map((q) => requestCost(value, q, 2) ?? NaN)
    expect(quotes).toEqual(quotes.toSorted((a, b) => a - b))
    expect(requestCost(value, 40, 1)).toBeNull()
  })

  test('far before the horizon is the stationary one, and right before it is flat', () => {
    const far = valueBefore(SMALL, 10)
    expect(far?.theta).toEqual(thetaOf(SMALL))
    const near = valueBefore(SMALL, 1e-9)
    expect(Math.max(...(near?.theta ?? [NaN]).map(Math.abs))).toBeLessThan(1e-4)
  })

  test('starts hedging later the dearer hedging is, and never where it costs more than all risk', () => {
    const thresholds = [0.05, 0.1, 0.2].map((phi) => {
      const hedge = { ...SMALL.hedge, phi }
      const value = stationaryValue({ ...SMALL, hedge })
      return value === null ? NaN : (hedgeThreshold(value, hedge) ?? Infinity)
    })
    expect(thresholds).toEqual(thresholds.toSorted((a, b) => a - b))
    const hedge = { ...SMALL.hedge, phi: 1e4 }
    const value = stationaryValue({ ...SMALL, hedge })
    expect(value === null ? NaN : hedgeThreshold(value, hedge)).toBeNull()
  })

  test('for any parameters is finite or null, after a bounded number of rounds', () => {
    const log = (least: number, most: number) =>
      fc.double({ min: least, max: most, noNaN: true }).map((x) => 10 ** x)
    const market = fc.record({
      flows: fc
        .record({
          alpha: fc.double({ min: -100, max: 100, noNaN: true }),
          beta: log(-4, 4),
          perDay: log(-6, 9),
          size: fc.constantFrom(1, 3),
        })
        .map(({ alpha, beta, perDay, size }) =>
          [1, size].map((each) => ({ curve: { alpha, beta }, size: each, perDay })),
        ),
      limit: fc.integer({ min: 2, max: 12 }),
      sigmaBps: log(-3, 4),
      riskAversion: log(-9, 3),
      hedge: fc.record({ eta: log(-9, 3), phi: log(-3, 4), impact: fc.constantFrom(0, 0.005, 1e3) }),
    })
    fc.assert(
      fc.property(market, log(-6, 6), (drawn, days) => {
        for (const value of [stationaryValue(drawn), valueBefore(drawn, days)])
          if (value !== null) expect(value.theta.every(Number.isFinite)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a banded system', () => {
  test('is solved for several right-hand sides, and a singular one is refused', () => {
    const matrix = () => {
      const banded = bandedMatrix(4, 2)
      for (let row = 0; row < 4; row++)
        for (let column = Math.max(0, row - 2); column <= Math.min(3, row + 2); column++)
          addEntry(banded, row, column, row === column ? 5 + row : -1 - column / 4)
      return banded
    }
    const solution = [1, -2, 3, -4]
    const dense = [
      [5, -1.25, -1.5, 0],
      [-1, 6, -1.5, -1.75],
      [-1, -1.25, 7, -1.75],
      [0, -1.25, -1.5, 8],
    ]
    const side = Float64Array.from(dense, (row) =>
      row.reduce((sum, entry, i) => sum + entry * (solution[i] ?? 0), 0),
    )
    const double = side.map((value) => 2 * value)
    expect(solveBanded(matrix(), [side, double])).toBe(true)
    for (const [i, value] of solution.entries()) {
      expect(side[i]).toBeCloseTo(value, 12)
      expect(double[i]).toBeCloseTo(2 * value, 12)
    }
    expect(solveBanded(bandedMatrix(3, 1), [new Float64Array(3)])).toBe(false)
  })
})
