import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StrategyContext } from '../../../src/core/strategy/context.ts'
import avellanedaStoikov from '../../../strategies/avellaneda-stoikov.ts'
import { contextAt, expectTermsToSum, refusals } from './support.ts'

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

  it('with too many dollars lowers the bid, to sell dollars, and raises the ask, to buy fewer', () => {
    const [even, long, short] = [quoteAt(0), quoteAt(5), quoteAt(-5)]
    expect(long.bidBps).toBeLessThan(even.bidBps ?? 0)
    expect(long.askBps).toBeGreaterThan(even.askBps ?? Infinity)
    expect(short.bidBps).toBeCloseTo(long.askBps ?? 0, 9)
    expect(short.askBps).toBeCloseTo(long.bidBps ?? 0, 9)
  })

  it('sells dollars wider and buys them nearer while they are worth more than the mid', () => {
    const { mid } = contextAt(0)
    const dear = quoteAt(0, {}, { fairValue: { tzsPerUsd: mid * 1.002, errorBps: 0 } })
    expect(dear.bidBps).toBeCloseTo((quoteAt(0).bidBps ?? 0) + 20, 6)
    expect(dear.askBps).toBeCloseTo((quoteAt(0).askBps ?? 0) - 20, 6)
  })

  it('turns off the side that makes a full inventory worse', () => {
    expect(quoteAt(40.1, { maxLots: 40 })).toMatchObject({ askBps: null })
    expect(quoteAt(-40.1, { maxLots: 40 })).toMatchObject({ bidBps: null })
    expect(quoteAt(39.9, { maxLots: 40 }).askBps).not.toBeNull()
  })

  it('is finite and monotone in the inventory for all that the schema admits', () => {
    const params = fc.record({
      horizonDays: number(0.01, 100),
      riskAversion: number(1e-6, 1),
      lotUsd: number(1, 1e6),
      maxLots: number(1, 10_000),
      decayBps: number(5, 500),
      sigmaBps: number(1, 1_000),
    })
    fc.assert(
      fc.property(params, number(-1, 1), number(-1, 1), (given, one, other) => {
        const [less, more] = [
          quoteAt(50 * Math.min(one, other), given),
          quoteAt(50 * Math.max(one, other), given),
        ]
        for (const bps of [less.bidBps, less.askBps, more.bidBps, more.askBps])
          expect(bps === null || Number.isFinite(bps)).toBe(true)
        if (less.bidBps !== null && more.bidBps !== null) expect(more.bidBps).toBeLessThanOrEqual(less.bidBps)
        if (less.askBps !== null && more.askBps !== null)
          expect(more.askBps).toBeGreaterThanOrEqual(less.askBps)
      }),
    )
  })

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
