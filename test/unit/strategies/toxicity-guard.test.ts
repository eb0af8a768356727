import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SideMarkouts, StrategyContext } from '../../../src/core/strategy/context.ts'
import toxicityGuard from '../../../strategies/toxicity-guard.ts'
import { contextAt, expectTermsToSum, refusals } from './support.ts'

const HOUR = 3_600_000
const WRAPPED = { use: 'fixed-spread', params: {} }
const START = 1_767_603_600_000

const toxic = (impactBps: number, errorBps = 0, fills = 20): SideMarkouts => ({
  fills,
  meanBps: 40 - impactBps,
  impactBps,
  errorBps,
})

/** A guard around a quote of 40 on both sides. */
function guard(
  given: object = {},
  wrapped: { bidBps: number | null; askBps: number | null } = { bidBps: 40, askBps: 40 },
) {
  const params = toxicityGuard.params.parse({ strategy: WRAPPED, ...given })
  const state = toxicityGuard.init(params)
  return (over: Partial<StrategyContext>) => {
    const inner = { wrapped: () => ({ ...wrapped, reasons: ['wrapped'] }) }
    const quote = toxicityGuard.quote(contextAt(0, { now: START, ...over }), state, params, inner)
    expectTermsToSum(quote)
    return quote
  }
}

describe('toxicity-guard', () => {
  it('quotes what it wraps while nothing shows that takers know more', () => {
    for (const bid of [null, toxic(-20), toxic(0), toxic(30, 40)])
      expect(guard()({ markouts: { bid, ask: null } })).toMatchObject({
        bidBps: 40,
        askBps: 40,
        reasons: ['wrapped'],
      })
  })

  it('widens the bid where those who bought our dollars knew more, and leaves the ask', () => {
    const quote = guard({ marginBps: 5, errorWeight: 1 })({ markouts: { bid: toxic(70, 10), ask: null } })
    expect(quote).toMatchObject({ bidBps: 65, askBps: 40 })
    expect(quote.reasons[1]).toBe(
      'bid: the fair value moved 70.0 +- 10.0 bps against 20 fills: at least 65 from it',
    )
  })

  it('widens the ask where those who sold us dollars knew more, and leaves the bid', () => {
    expect(guard()({ markouts: { bid: null, ask: toxic(70) } })).toMatchObject({ bidBps: 40, askBps: 75 })
  })

  it('measures the floor from the fair value: while dollars are worth more than the mid they are sold wider', () => {
    const { mid } = contextAt(0)
    const markouts = { bid: toxic(45), ask: toxic(45) }
    const quote = guard()({ markouts, fairValue: { tzsPerUsd: mid * 1.002, errorBps: 0 } })
    expect(quote.bidBps).toBeCloseTo(70, 6)
    expect(quote.askBps).toBe(40)
  })

  it('never goes beyond its limit', () => {
    expect(guard({ maxFloorBps: 120 })({ markouts: { bid: toxic(400), ask: null } }).bidBps).toBe(120)
  })

  it('halves its floor after each half-life without news of the side, and begins anew with news', () => {
    const ask = guard({ marginBps: 0, halfLifeHours: 24 }, { bidBps: 10, askBps: 10 })
    const at = (hours: number, bid: SideMarkouts) =>
      ask({ now: START + hours * HOUR, markouts: { bid, ask: null } }).bidBps
    expect(at(0, toxic(80))).toBe(80)
    expect(at(24, toxic(80))).toBe(40)
    expect(at(48, toxic(80))).toBe(20)
    expect(at(480, toxic(80))).toBe(10)
    expect(at(481, toxic(80, 0, 21))).toBe(80)
  })

  it('leaves a side off that the wrapped strategy turns off', () => {
    expect(
      guard({}, { bidBps: null, askBps: 40 })({ markouts: { bid: toxic(90), ask: null } }).bidBps,
    ).toBeNull()
  })

  it('never narrows a quote, whatever the markouts', () => {
    const bps = fc.double({ min: -500, max: 500, noNaN: true })
    fc.assert(
      fc.property(
        bps,
        bps,
        bps,
        fc.double({ min: 0, max: 500, noNaN: true }),
        (bidBps, askBps, impact, error) => {
          const side = toxic(impact, error)
          const quote = guard({}, { bidBps, askBps })({ markouts: { bid: side, ask: side } })
          expect(quote.bidBps).toBeGreaterThanOrEqual(bidBps)
          expect(quote.askBps).toBeGreaterThanOrEqual(askBps)
        },
      ),
    )
  })

  it('refuses what makes no sense', () => {
    const wrong = [
      {},
      { strategy: WRAPPED, errorWeight: -1 },
      { strategy: WRAPPED, maxFloorBps: 5 },
      { strategy: WRAPPED, halfLifeHours: 0 },
    ]
    for (const params of wrong) expect(refusals(toxicityGuard.params, params)).toHaveLength(1)
  })
})
