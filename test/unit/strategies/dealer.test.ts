import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestQuote, quadraticClosure } from '../../../src/core/models/dealer/logistic-hits.ts'
import type { StrategyContext } from '../../../src/core/strategy/context.ts'
import dealer from '../../../strategies/dealer.ts'
import { contextAt, expectTermsToSum, refusals, testReservation } from './support.ts'

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** The context holds 100,000 USD in all: an imbalance of 0.02 is a lot of 1,000 USD. */
function quoteAt(lots: number, given: object = {}, over: Partial<StrategyContext> = {}) {
  const params = dealer.params.parse({ lotUsd: 1_000, ...given })
  const quote = dealer.quote(contextAt(lots / 50, over), dealer.init(params), params, {})
  expectTermsToSum(quote)
  return quote
}

describe('dealer', () => {
  it('with one size quotes what the quadratic closure says for it', () => {
    const curve = { alpha: -1, beta: 0.02 }
    const given = { ...curve, requests: [{ usd: 2_000, perDay: 30 }], riskAversion: 0.001, sigmaBps: 30 }
    const slope = quadraticClosure([{ curve, size: 2, perDay: 30 }], 0.001, 30)
    const { bidBps, askBps } = quoteAt(3, given)
    expect(askBps).toBeCloseTo(bestQuote(curve, slope * (1 + 3)).deltaBps, 9)
    expect(bidBps).toBeCloseTo(bestQuote(curve, slope * (1 - 3)).deltaBps, 9)
  })

  it('names that sigma is that of the parameters, where no calibration has one', () => {
    expect(quoteAt(0).fallback).toBe('no calibrated sigma: the 25 bps of sigmaBps')
    const sigma = { value: 30, low: 25, high: 35 }
    const calibration = { sigma } as StrategyContext['calibration']
    expect(quoteAt(0, {}, { calibration }).fallback).toBeUndefined()
  })

  it('with several sizes quotes the one spread that earns most over all of them', () => {
    const curve = { alpha: -1, beta: 0.02 }
    const requests = [
      { usd: 500, perDay: 40 },
      { usd: 4_000, perDay: 3 },
    ]
    const flows = requests.map(({ usd, perDay }) => ({ curve, size: usd / 1_000, perDay }))
    const slope = quadraticClosure(flows, 0.002, 25)
    const q = 2
    const worth = (bps: number) =>
      flows.reduce(
        (sum, { size, perDay }) =>
          sum +
          (perDay * size * (bps - slope * (size / 2 + q))) / (1 + Math.exp(curve.alpha + curve.beta * bps)),
        0,
      )
    const askBps = quoteAt(q, { ...curve, requests }).askBps ?? Number.NaN
    for (const off of [-5, -0.5, 0.5, 5]) expect(worth(askBps)).toBeGreaterThan(worth(askBps + off))
  })

  testReservation(
    quoteAt,
    fc.record({
      alpha: number(-20, 20),
      beta: number(0.001, 1),
      requests: fc.array(fc.record({ usd: number(1e-3, 1e7), perDay: number(1e-3, 1e6) }), {
        minLength: 1,
        maxLength: 5,
      }),
      riskAversion: number(1e-6, 1),
      lotUsd: number(1e-2, 1e6),
      maxLots: number(1, 10_000),
      sigmaBps: number(1, 1_000),
    }),
  )

  it('refuses what makes no sense', () => {
    for (const wrong of [
      { beta: 0 },
      { requests: [] },
      { requests: [{ usd: 0, perDay: 1 }] },
      { lotUsd: 0 },
      { gamma: 1 },
    ])
      expect(refusals(dealer.params, wrong)).toHaveLength(1)
  })
})
