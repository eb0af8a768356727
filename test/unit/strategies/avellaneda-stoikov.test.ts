import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StrategyContext } from '../../../src/core/strategy/context.ts'
import avellanedaStoikov from '../../../strategies/avellaneda-stoikov.ts'
import { contextAt, expectTermsToSum, refusals, testReservation } from './support.ts'

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** The context holds 100,000 USD in all: an imbalance of 0.02 is a lot of 1,000 USD. */
function quoteAt(lots: number, given: object = {}, over: Partial<StrategyContext> = {}) {
  const params = avellanedaStoikov.params.parse({ lotUsd: 1_000, ...given })
  const quote = avellanedaStoikov.quote(
    contextAt(lots / 50, over),
    avellanedaStoikov.init(params),
    params,
    {},
  )
  expectTermsToSum(quote)
  return quote
}

describe('avellaneda-stoikov', () => {
  it('quotes reservation price and spread of the paper, in bps and lots', () => {
    // gamma sigma^2 T = 0.002 * 625 * 2 = 2.5 a lot; ln(1 + gamma/k) / gamma = 56.664 at 1/k = 60.
    const { bidBps, askBps, reasons, fallback } = quoteAt(3, {
      riskAversion: 0.002,
      sigmaBps: 25,
      horizonDays: 2,
      decayBps: 60,
    })
    const half = Math.log1p(0.002 * 60) / 0.002 + 2.5 / 2
    expect(bidBps).toBeCloseTo(half - 7.5, 9)
    expect(askBps).toBeCloseTo(half + 7.5, 9)
    expect(reasons[1]).toMatch(/ 60 bps .* parameters$/)
    expect(fallback).toBe('no calibration: 1/k is the 60 bps of decayBps')
  })

  testReservation(
    quoteAt,
    fc.record({
      horizonDays: number(0.01, 100),
      riskAversion: number(1e-6, 1),
      lotUsd: number(1, 1e6),
      maxLots: number(1, 10_000),
      decayBps: number(5, 500),
      sigmaBps: number(1, 1_000),
    }),
  )

  it('refuses what makes no sense', () => {
    for (const wrong of [
      { horizonDays: 0 },
      { riskAversion: 0 },
      { decayBps: 4 },
      { lotUsd: 0 },
      { horizon: 1 },
    ])
      expect(refusals(avellanedaStoikov.params, wrong)).toHaveLength(1)
  })
})
