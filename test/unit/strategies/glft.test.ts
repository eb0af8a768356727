import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Calibration, Estimate } from '../../../src/core/models/calibration.ts'
import { glftRule, glftSpreads } from '../../../src/core/models/glft.ts'
import type { StrategyContext } from '../../../src/core/strategy/context.ts'
import glft from '../../../strategies/glft.ts'
import { contextAt, expectTermsToSum, refusals } from './support.ts'

const PARAMS = glft.params.parse({ lotUsd: 1000, maxLots: 40 })
const exactly = (value: number): Estimate => ({ value, low: value, high: value })

function calibrationOf(a: number, k: number, over: Partial<Calibration> = {}, fills = 300): Calibration {
  return {
    version: 1,
    from: 0,
    to: 1,
    fills,
    prints: 20,
    both: {
      a: exactly(a),
      k: exactly(k),
      fills,
      exposureDays: 40,
      method: 'likelihood',
      overdispersion: 1,
    },
    bid: null,
    ask: null,
    sigma: exactly(25),
    markouts: [],
    sizesUsd: [],
    warnings: [],
    ...over,
  }
}

const LEARNED = calibrationOf(40, 1 / 60)

/** The context holds 100,000 USD in all: an imbalance of 0.02 is 1,000 USD, one lot, too many. */
function quoteAt(lots: number, over: Partial<StrategyContext> = {}, params = PARAMS) {
  const context = contextAt(lots / 50, { calibration: LEARNED, ...over })
  return glft.quote(context, glft.init(params), params, {})
}

describe('glft', () => {
  it('quotes what the model says for the calibrated takers, at any inventory', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -39, max: 39, noNaN: true }),
        fc.double({ min: 1, max: 500, noNaN: true }),
        fc.double({ min: 0.002, max: 0.2, noNaN: true }),
        fc.double({ min: 1e-5, max: 0.5, noNaN: true }),
        (lots, a, k, riskAversion) => {
          const quote = quoteAt(lots, { calibration: calibrationOf(a, k) }, { ...PARAMS, riskAversion })
          const model = glftSpreads(glftRule({ a, k, sigmaBps: 25, riskAversion }), lots)
          const near = (bps: number | null, expected: number) =>
            expect(Math.abs((bps ?? Number.NaN) - expected)).toBeLessThan(1e-6 * (1 + Math.abs(expected)))
          near(quote.askBps, model.buyBps)
          near(quote.bidBps, model.sellBps)
          expectTermsToSum(quote)
        },
      ),
    )
  })

  it('with too many dollars lowers the bid, to sell dollars, and raises the ask, to buy fewer', () => {
    const [even, long] = [quoteAt(0), quoteAt(5)]
    expect(long.bidBps).toBeLessThan(even.bidBps ?? 0)
    expect(long.askBps).toBeGreaterThan(even.askBps ?? Infinity)
  })

  it('turns off the side that makes a full inventory worse, and says so', () => {
    expect(quoteAt(40.5)).toMatchObject({ askBps: null })
    expect(quoteAt(40.5).reasons.at(-1)).toMatch(/^ask off: .* dollars$/)
    expect(quoteAt(40.5).bidBps).not.toBeNull()
    expect(quoteAt(-40.5)).toMatchObject({ bidBps: null })
    expect(quoteAt(-40.5).reasons.at(-1)).toMatch(/^bid off: .* shillings$/)
  })

  it('buys dollars more eagerly and sells them less when they are worth more than the mid says', () => {
    const { mid } = contextAt(0)
    const [plain, dear] = [quoteAt(0), quoteAt(0, { fairValue: { tzsPerUsd: mid * 1.002, errorBps: 0 } })]
    expect(dear.askBps).toBeCloseTo((plain.askBps ?? 0) - 20, 6)
    expect(dear.bidBps).toBeCloseTo((plain.bidBps ?? 0) + 20, 6)
    expect(dear.reasons[1]).toMatch(/^fair value 20\.0 bps/)
    expectTermsToSum(dear)
    const lean = dear.terms?.find(({ name }) => name === 'fair value')
    expect([lean?.bidBps, lean?.askBps].map((bps) => Math.round(bps ?? 0))).toEqual([20, -20])
  })

  it('with a fair value that is expected to rise buys dollars nearer and sells them wider, and shows the term', () => {
    const fairShift = { ...contextAt(0).fairShift, driftBpsPerDay: 10 }
    const half = { ...PARAMS, driftWeight: 0.5 }
    const [plain, rising] = [quoteAt(2), quoteAt(2, { fairShift }, half)]
    const { leanBps } = glftRule({ a: 40, k: 1 / 60, sigmaBps: 25, riskAversion: 0.002, driftBpsPerDay: 5 })
    expect(rising.askBps).toBeCloseTo((plain.askBps ?? 0) - leanBps, 9)
    expect(rising.bidBps).toBeCloseTo((plain.bidBps ?? 0) + leanBps, 9)
    expect(rising.terms?.at(-1)?.name).toBe('drift')
    expectTermsToSum(rising)
    expect(quoteAt(2, { fairShift })).toEqual(plain)
  })

  it('with fills that the fair value moved against quotes both sides wider, and never nearer where it moved for them', () => {
    const side = (impactBps: number, fills: number) => ({ fills, meanBps: 0, errorBps: 1, impactBps })
    const whole = { ...PARAMS, impactWeight: 1 }
    const toxic = { bid: side(40, 30), ask: side(0, 10) }
    const [plain, wider] = [quoteAt(3), quoteAt(3, { markouts: toxic }, whole)]
    const rule = glftRule({ a: 40, k: 1 / 60, sigmaBps: 25, riskAversion: 0.002, adverseBps: 30 })
    expect(wider.bidBps).toBeCloseTo(glftSpreads(rule, 3).sellBps, 9)
    expect(wider.askBps).toBeCloseTo(glftSpreads(rule, 3).buyBps, 9)
    expect(wider.terms?.at(-1)?.name).toBe('adverse selection')
    expectTermsToSum(wider)
    expect(quoteAt(3, { markouts: { bid: side(-90, 30), ask: null } }, whole)).toEqual(plain)
    expect(quoteAt(3, { markouts: toxic })).toEqual(plain)
  })

  describe('where the sides have different takers', () => {
    const side = (a: number, k: number, fills = 100) => ({
      ...LEARNED.both,
      a: exactly(a),
      k: exactly(k),
      fills,
    })
    const quoteOf = (over: Partial<Calibration>) => {
      const quote = quoteAt(0, { calibration: calibrationOf(40, 1 / 60, over) })
      expectTermsToSum(quote)
      return { bid: quote.bidBps ?? Number.NaN, ask: quote.askBps ?? Number.NaN }
    }

    it('quotes the busier side wider, so that both fill equally often, around the quotes of their geometric mean', () => {
      const { bid, ask } = quoteOf({ bid: side(16, 1 / 60), ask: side(64, 1 / 60) })
      expect(64 * Math.exp(-ask / 60)).toBeCloseTo(16 * Math.exp(-bid / 60), 9)
      const { baseBps, skewBpsPerLot } = glftRule({ a: 32, k: 1 / 60, sigmaBps: 25, riskAversion: 0.002 })
      expect((bid + ask) / 2).toBeCloseTo(baseBps + skewBpsPerLot / 2, 9)
    })

    it('gives a side without an estimate what the other one leaves, and one without takers little', () => {
      const { bid, ask } = quoteOf({ ask: side(64, 1 / 60) })
      expect([bid, ask]).toEqual(Object.values(quoteOf({ bid: side(16, 1 / 60), ask: side(64, 1 / 60) })))
      const none = quoteOf({ bid: side(10, 1 / 60, 0), ask: side(80, 1 / 60) })
      expect(none.ask - none.bid).toBeCloseTo(60 * Math.log(40), 6)
    })

    it('compares sides with different k at the distance 1/k', () => {
      const { bid, ask } = quoteOf({ bid: side(40, 1 / 40), ask: side(40, 1 / 60) })
      expect(ask - bid).toBeCloseTo(60 * Math.log(1 / Math.exp(1 - 60 / 40)), 9)
    })
  })

  it('takes its lot from the calibration where the parameters name none', () => {
    const params = glft.params.parse({})
    const sizesUsd = Array.from({ length: 19 }, (_, i) => 50 * (i + 1))
    const of = (calibration: Calibration) => quoteAt(0, { calibration }, params).reasons[0]
    expect(of(calibrationOf(40, 1 / 60, { sizesUsd }))).toContain(' 500 USD')
    // A counts fills, so a lot is the mean fill and not the usual one.
    const skewed = sizesUsd.map((_, i) => (i < 16 ? 100 : 1_000))
    expect(of(calibrationOf(40, 1 / 60, { sizesUsd: skewed }))).toContain(' 242 USD')
    expect(of(LEARNED)).toContain(' 250 USD')
  })

  it('takes sigma from the parameters where the calibration has none', () => {
    const calibration = calibrationOf(40, 1 / 60, { sigma: null })
    expect(quoteAt(3, { calibration })).toEqual(quoteAt(3))
    const wilder = { ...PARAMS, sigmaBps: 100 }
    expect(quoteAt(3, { calibration }, wilder).askBps).toBeGreaterThan(quoteAt(3).askBps ?? Infinity)
  })

  it.each([
    ['no calibration', null, 'no calibration: the fixed spread'],
    [
      'too few fills',
      calibrationOf(40, 1 / 60, {}, 29),
      'a calibration with only 29 fills: the fixed spread',
    ],
    ['an impossible k', calibrationOf(40, 0), 'a calibration without a positive A and k: the fixed spread'],
    [
      'a k that is only believed',
      calibrationOf(40, 1 / 60, {
        both: { ...LEARNED.both, method: 'posterior', k: { value: 1 / 60, low: 1 / 190, high: 1 / 19 } },
      }),
      'a calibration whose fills do not determine k: the spreads varied too little: the fixed spread',
    ],
  ])('quotes the fixed spread with %s', (_what, calibration, why) => {
    for (const lots of [-20, 0, 20]) {
      expect(quoteAt(lots, { calibration })).toMatchObject({ bidBps: 60, askBps: 60, reasons: [why] })
      expect(quoteAt(lots, { calibration }).fallback).toBe(
        why.replace('the fixed spread', '60 bps on both sides at any inventory'),
      )
    }
  })

  it('fills in its defaults and refuses what makes no sense', () => {
    expect(glft.params.parse({})).toEqual({
      riskAversion: 0.002,
      lotUsd: null,
      maxLots: 100,
      defaultBps: 60,
      sigmaBps: 25,
      driftWeight: 0,
      impactWeight: 0,
    })
    for (const wrong of [
      { riskAversion: 0 },
      { lotUsd: 0 },
      { maxLots: -1 },
      { defaultBps: 5 },
      { gamma: 1 },
    ]) {
      expect(refusals(glft.params, wrong)).toHaveLength(1)
    }
  })
})
