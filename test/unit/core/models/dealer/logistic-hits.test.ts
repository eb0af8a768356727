import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bestQuote,
  lambertWOfExp,
  quadraticClosure,
} from '../../../../../src/core/models/dealer/logistic-hits.ts'

const curve = fc.record({
  alpha: fc.double({ min: -100, max: 100, noNaN: true }),
  beta: fc.double({ min: -4, max: 4, noNaN: true }).map((x) => 10 ** x),
})

describe("Lambert's W of an exponential", () => {
  test('solves w + ln w = y for every y, and is exp(y) where that is small', () => {
    fc.assert(
      fc.property(fc.double({ min: -36, max: 1e300, noNaN: true }), (y) => {
        const w = lambertWOfExp(y)
        expect(Math.abs(w + Math.log(w) - y)).toBeLessThanOrEqual(1e-13 * (1 + Math.abs(y)))
      }),
      { numRuns: 1000 },
    )
    expect(lambertWOfExp(-50) / Math.exp(-50)).toBeCloseTo(1, 14)
    expect(lambertWOfExp(-1e4)).toBe(0)
    expect(lambertWOfExp(1)).toBeCloseTo(1, 15)
  })
})

describe('the best quote to a request', () => {
  test('gains more than any quote beside it', () => {
    fc.assert(
      fc.property(
        curve,
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.double({ min: 0.01, max: 3, noNaN: true }),
        (hits, cost, off) => {
          const costBps = cost / hits.beta
          const gain = (delta: number) => (delta - costBps) / (1 + Math.exp(hits.alpha + hits.beta * delta))
          const { deltaBps, hit, gainBps } = bestQuote(hits, costBps)
          expect(gain(deltaBps)).toBeGreaterThanOrEqual(gain(deltaBps + off / hits.beta) * (1 - 1e-12))
          expect(gain(deltaBps)).toBeGreaterThanOrEqual(gain(deltaBps - off / hits.beta) * (1 - 1e-12))
          expect(gainBps).toBeGreaterThanOrEqual(0)
          expect(hit).toBeGreaterThanOrEqual(0)
          expect(hit).toBeLessThanOrEqual(1)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('is wider and deals less the more the request costs', () => {
    const quotes = [-2, -0.5, 0, 0.5, 2].map((cost) => bestQuote({ alpha: -0.3, beta: 5 }, cost))
    expect(quotes.map(({ deltaBps }) => deltaBps)).toEqual(
      quotes.map(({ deltaBps }) => deltaBps).toSorted((a, b) => a - b),
    )
    expect(quotes.map(({ hit }) => hit)).toEqual(quotes.map(({ hit }) => hit).toSorted((a, b) => b - a))
  })
})

describe('the quadratic closure', () => {
  test('is flatter with more requests and steeper with more risk, by their square roots', () => {
    const flow = { curve: { alpha: -0.3, beta: 5 }, size: 1, perDay: 100 }
    const a = quadraticClosure([flow], 0.002, 50)
    expect(quadraticClosure([flow, flow, flow, flow], 0.002, 50)).toBeCloseTo(a / 2, 12)
    expect(quadraticClosure([flow], 0.008, 50)).toBeCloseTo(2 * a, 12)
    expect(quadraticClosure([flow], 0.002, 100)).toBeCloseTo(2 * a, 12)
  })
})
