import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StrategyQuote } from '../../../src/core/strategy/define-strategy.ts'
import fairValueSkew from '../../../strategies/fair-value-skew.ts'
import { contextAt, expectTermsToSum, refusals } from './support.ts'

const PARAMS = fairValueSkew.params.parse({
  estimate: 'feed',
  halfSpreadBps: 60,
  maxSkewBps: 80,
  feedWeight: 1,
})
const MID = 2_568.1584

/** What is quoted at this imbalance while the feeds are so many bps above the mid. */
function quoteAt(imbalance: number, gapBps: number, params = PARAMS): StrategyQuote {
  const fairValue = { tzsPerUsd: MID * (1 + gapBps / 10_000), errorBps: 0 }
  const context = contextAt(imbalance, { fairValue })
  return fairValueSkew.quote(context, fairValueSkew.init(params), params, {})
}

describe('fair-value-skew', () => {
  it('quotes the half-spread on both sides on target, while fair value and mid agree or no feed is live', () => {
    expect(quoteAt(0, 0)).toMatchObject({ bidBps: 60, askBps: 60 })
  })

  it('sells dollars at a wider spread and buys them at a narrower one while they are worth more than the mid', () => {
    const { bidBps, askBps } = quoteAt(0, 40)
    expect(bidBps).toBeCloseTo(100, 6)
    expect(askBps).toBeCloseTo(20, 6)
  })

  it('sells dollars at a narrower spread and buys them at a wider one while they are worth less', () => {
    const { bidBps, askBps } = quoteAt(0, -40)
    expect(bidBps).toBeCloseTo(20, 6)
    expect(askBps).toBeCloseTo(100, 6)
  })

  it('with too many dollars lowers the bid, to sell dollars, and raises the ask, to buy fewer', () => {
    expect(quoteAt(0.5, 0)).toMatchObject({ bidBps: 20, askBps: 100 })
  })

  it('believes the feed as far as feedWeight says, and never more than maxShiftBps', () => {
    const half = fairValueSkew.params.parse({ ...PARAMS, feedWeight: 0.5 })
    expect(quoteAt(0, 40, half).bidBps).toBeCloseTo(80, 6)
    const bounded = fairValueSkew.params.parse({ ...PARAMS, maxShiftBps: 50 })
    expect(quoteAt(0, 900, bounded)).toMatchObject({ bidBps: 110, askBps: 10 })
    expect(quoteAt(0, -900, bounded)).toMatchObject({ bidBps: 10, askBps: 110 })
  })

  it('keeps the sum of both half-spreads at any inventory and fair value', () => {
    const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
    fc.assert(
      fc.property(between(-1, 1), between(-2_000, 2_000), (imbalance, gap) => {
        const { bidBps, askBps } = quoteAt(imbalance, gap)
        expect((bidBps ?? 0) + (askBps ?? 0)).toBeCloseTo(120, 6)
      }),
    )
  })

  it('refuses parameters outside their ranges, and unknown ones', () => {
    expect(refusals(fairValueSkew.params, { feedWeight: 1.1 })).toHaveLength(1)
    expect(refusals(fairValueSkew.params, { halfSpreadBps: 9 })).toHaveLength(1)
    expect(refusals(fairValueSkew.params, { weight: 1 })).toHaveLength(1)
    expect(refusals(fairValueSkew.params, {})).toEqual([])
  })
})

describe('fair-value-skew with the estimated gap', () => {
  const params = fairValueSkew.params.parse({
    halfSpreadBps: 60,
    maxSkewBps: 80,
    estimate: 'filter',
    maxShiftBps: 100,
  })
  const shiftedBy = (bps: number, imbalance = 0) => {
    const fairShift = {
      bps,
      errorBps: 12,
      driftBpsPerDay: 0,
      feeds: 1,
      reasons: ['gap as it is', 'a feed: 7 min old'],
    }
    return fairValueSkew.quote(contextAt(imbalance, { fairShift }), fairValueSkew.init(params), params, {})
  }

  it('sells dollars wider and buys them narrower by the gap where a dollar is worth more than the mid', () => {
    expect(shiftedBy(25)).toMatchObject({ bidBps: 85, askBps: 35 })
    expect(shiftedBy(-25)).toMatchObject({ bidBps: 35, askBps: 85 })
  })

  it('shifts by no more than maxShiftBps', () => {
    expect(shiftedBy(400)).toMatchObject({ bidBps: 160, askBps: -40 })
  })

  it('gives the total of the estimate after its own reason, and no ages, which would make each quote another one', () => {
    expect(shiftedBy(25).reasons).toEqual([expect.stringContaining('shift 25.0'), 'gap as it is'])
  })

  it('is made of terms that sum to the quote on both sides', () => {
    const quote = shiftedBy(25, 0.5)
    expect(quote.terms?.map(({ name }) => name)).toEqual(['half-spread', 'inventory', 'fair value'])
    expectTermsToSum(quote)
  })
})
