import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Calibration, Intensity } from '../../../src/core/models/calibration.ts'
import type { StrategyContext } from '../../../src/core/strategy/context.ts'
import optimal from '../../../strategies/optimal.ts'
import { contextAt, expectTermsToSum, refusals } from './support.ts'

const PARAMS = optimal.params.parse({})
const NOW = contextAt(0).now
const MINUTE = 60_000

type Over = Partial<StrategyContext>
const shift = (bps: number, errorBps = 15, driftBpsPerDay = 0) => ({
  fairShift: { bps, errorBps, driftBpsPerDay, feeds: 1, reasons: [] },
})
const shown = (bid: number, ask: number, ageMs = 0) => ({
  competition: { bid: { bestBps: bid, ageMs }, ask: { bestBps: ask, ageMs } },
})

function quoteAt(imbalance: number, over: Over = {}, params = PARAMS, state = optimal.init(params)) {
  return optimal.quote(contextAt(imbalance, over), state, params, {})
}

describe('optimal', () => {
  it('with too many dollars lowers the bid, to sell dollars, and raises the ask, to buy fewer', () => {
    expect(quoteAt(0.5).bidBps).toBeLessThan(quoteAt(0).bidBps!)
    expect(quoteAt(0.5).askBps).toBeGreaterThan(quoteAt(0).askBps!)
  })

  it('sells dollars at a wider spread and buys them at a narrower one while they are worth more than the mid', () => {
    expect(quoteAt(0, shift(40)).bidBps).toBeGreaterThan(quoteAt(0, shift(0)).bidBps!)
    expect(quoteAt(0, shift(40)).askBps).toBeLessThan(quoteAt(0, shift(0)).askBps!)
  })

  it('buys dollars at a narrower spread while they are expected to gain', () => {
    expect(quoteAt(0, shift(0, 15, 20)).askBps).toBeLessThan(quoteAt(0, shift(0)).askBps!)
  })

  it('without feed and calibration quotes both sides, wider than with a good feed', () => {
    const blind = quoteAt(0, {
      fairShift: { bps: 0, errorBps: 90, driftBpsPerDay: 0, feeds: 0, reasons: [] },
    })
    expect(blind.bidBps).toBeGreaterThan(quoteAt(0, shift(0)).bidBps!)
    expect(blind.askBps).toBeLessThanOrEqual(500)
  })

  it('names its fallback without a calibration', () => {
    expect(quoteAt(0).fallback).toBe(
      'no calibration with 30 fills: using turnoverShare and reservationBps for the takers',
    )
  })

  it('undercuts the others by more than the tolerance', () => {
    expect(quoteAt(0, shown(66, 66))).toMatchObject({ bidBps: 60, askBps: 60 })
  })

  it("uses the venue's tolerance unless a parameter names another one", () => {
    const strict = { ...shown(66, 66), toleranceBps: 0 }
    expect(quoteAt(0, strict)).toMatchObject({ bidBps: 65, askBps: 65 })
    expect(quoteAt(0, strict, optimal.params.parse({ toleranceBps: 8 }))).toMatchObject({
      bidBps: 57,
      askBps: 57,
    })
  })

  it('buys dollars nearer and sells them wider where shillings cost more to hold, as in a drift by the difference', () => {
    const at = (ntzsPerYear: number, usdPerYear: number, driftBpsPerDay = 0) =>
      quoteAt(0, {
        inventory: { ...contextAt(0).inventory, capitalCost: { ntzsPerYear, usdPerYear } },
        fairShift: { bps: 0, errorBps: 10, driftBpsPerDay, feeds: 1, reasons: [] },
      })
    const [free, dear] = [at(0, 0), at(0.146 * 2 + 0.04, 0.04)]
    expect(dear.askBps).toBeLessThan(free.askBps!)
    expect(dear.bidBps).toBeGreaterThan(free.bidBps!)
    expect(dear).toMatchObject({ bidBps: at(0, 0, 8).bidBps, askBps: at(0, 0, 8).askBps })
    expect(at(0.5, 0.5)).toMatchObject({ bidBps: free.bidBps, askBps: free.askBps })
  })

  it('names the parts of its quote, which sum to it', () => {
    fc.assert(
      fc.property(
        fc.record({
          imbalance: fc.double({ min: -1, max: 1, noNaN: true }),
          gap: fc.double({ min: -400, max: 400, noNaN: true }),
          error: fc.double({ min: 0, max: 300, noNaN: true }),
          rival: fc.integer({ min: 10, max: 500 }),
        }),
        ({ imbalance, gap, error, rival }) => {
          const quote = quoteAt(imbalance, { ...shift(gap, error), ...shown(rival, rival) })
          expectTermsToSum(quote)
          for (const bps of [quote.bidBps, quote.askBps])
            if (bps !== null) expect(bps).toBe(Math.round(Math.min(500, Math.max(10, bps))))
        },
      ),
      { numRuns: 20 },
    )
  })

  it('quotes at an infinite error of the estimate, as before anything is known', () => {
    expectTermsToSum(quoteAt(0, shift(0, Infinity)))
  })
})

describe('rounded inputs of optimal', () => {
  it('cost at most the step from under a rival to beside him, against the exact policy', () => {
    const exactly = optimal.params.parse({ rounding: 0 })
    let most = 0
    let unlike = 0
    for (const imbalance of [-0.6, 0, 0.45])
      for (const gap of [-33.3, 7.7])
        for (const error of [11.3, 27.9]) {
          const over = { ...shift(gap, error, 3.1), ...shown(66, 58) }
          const table = quoteAt(imbalance, over)
          const exact = quoteAt(imbalance, over, exactly)
          for (const side of ['bidBps', 'askBps'] as const) {
            const [one, other] = [table[side], exact[side]]
            expect(one === null).toBe(other === null)
            most = Math.max(most, Math.abs((one ?? 0) - (other ?? 0)))
            if (one !== other) unlike += 1
          }
        }
    expect(most).toBeLessThanOrEqual(11)
    // They are two policies: a rounding that did nothing would make them equal.
    expect(unlike).toBeGreaterThan(0)
  })
})

describe('looking at hidden rivals', () => {
  const hiding = { ...shown(60, 60, 5_000), standing: { bidBps: 60, askBps: 60 } }
  const ask = (state: ReturnType<typeof optimal.init>, over: Over) => quoteAt(0, over, PARAMS, state)

  /** Both sides stand at 60 below others at 66, and half an hour has passed. */
  function hidden() {
    const state = optimal.init(PARAMS)
    ask(state, { now: NOW, ...shown(66, 66) })
    const sides = (over: Over) => ask(state, { now: NOW + 31 * MINUTE, ...over })
    return { state, sides }
  }

  it('takes both sides off when a probe shows only our quote, and gives that reason', () => {
    const { sides } = hidden()
    const quote = sides(hiding)
    expect(quote).toMatchObject({ bidBps: null, askBps: null })
    expect(quote.reasons[0]).toMatch(/^off until/)
  })

  it('is back at the first probe that shows the others, under what they quote then', () => {
    const { sides } = hidden()
    sides(hiding)
    const off = { bidBps: null, askBps: null }
    expect(sides({ ...shown(60, 60, 9_000), standing: off, now: NOW + 32 * MINUTE })).toMatchObject(off)
    const back = sides({ ...shown(70, 64, 0), standing: off, now: NOW + 32 * MINUTE + 5_000 })
    expect(back).toMatchObject({ bidBps: 64, askBps: 58 })
  })

  it('ends after two minutes at the latest, where no probe comes', () => {
    const { sides } = hidden()
    sides(hiding)
    expect(sides({ ...hiding, now: NOW + 34 * MINUTE }).bidBps).not.toBeNull()
  })

  it('does not take our own earlier spread for a rival while the probe is older than the change', () => {
    const { state, sides } = hidden()
    sides({ ...hiding, now: NOW + MINUTE })
    const before = state.watch.rivals.bid.bps
    sides({ ...shown(60, 60, 9_000), standing: { bidBps: 55, askBps: 55 }, now: NOW + 2 * MINUTE })
    expect(state.watch.rivals.bid.bps).toBeGreaterThanOrEqual(before ?? 0)
  })

  describe('where no one else quotes', () => {
    /** Alone at 60: both sides are off, and what the next probe shows. */
    function alone(
      bidBps: number | null,
      askBps: number | null,
      standing: StrategyContext['standing'] = SAFE,
    ) {
      const state = optimal.init(PARAMS)
      expect(ask60(state, NOW)).toMatchObject({ bidBps: null, askBps: null })
      const side = (bestBps: number | null) => (bestBps === null ? null : { bestBps, ageMs: 0 })
      const competition = { bid: side(bidBps), ask: side(askBps) }
      const quote = ask(state, { standing, competition, now: NOW + 5_000 })
      return { state, quote }
    }
    const SAFE = { bidBps: 500, askBps: 500 }
    const ask60 = (state: ReturnType<typeof optimal.init>, now: number) => ask(state, { ...hiding, now })
    const free = quoteAt(0)

    it('never takes our own quote for a rival', () => {
      const params = optimal.params.parse({ lookEveryMinutes: null })
      const state = optimal.init(params)
      for (let hour = 0; hour < 5; hour++)
        expect(quoteAt(0, { ...hiding, now: NOW + hour * 60 * MINUTE }, params, state)).toMatchObject({
          bidBps: free.bidBps,
          askBps: free.askBps,
        })
      expect(state.watch.rivals.bid.bps).toBeNull()
    })

    it('a look that shows our safe quote ends, and both sides quote as the only provider', () => {
      const { state, quote } = alone(500, 500)
      expect(quote).toMatchObject({ bidBps: free.bidBps, askBps: free.askBps })
      expect(state.watch.rivals).toMatchObject({ bid: { bps: null }, ask: { bps: null } })
      // A narrower safe quote than the widest one of the venue.
      expect(alone(300, 300, { bidBps: 300, askBps: 300 }).quote.bidBps).toBe(free.bidBps)
    })

    it('so does one that shows no provider, or a side at the widest spread that the venue cannot close', () => {
      expect(alone(null, null).quote).toMatchObject({ bidBps: free.bidBps, askBps: free.askBps })
      const { quote } = alone(500, 500, { bidBps: null, askBps: null })
      expect(quote).toMatchObject({ bidBps: free.bidBps, askBps: free.askBps })
    })

    it('lasts until a probe shows the safe quote or a rival', () => {
      expect(alone(60, 60).quote).toMatchObject({ bidBps: null, askBps: null })
      expect(alone(500, 60).quote).toMatchObject({ bidBps: null, askBps: null })
      const { state, quote } = alone(500, 66)
      expect(quote.askBps).toBe(60)
      expect(quote.bidBps).toBeGreaterThan(60)
      expect(state.watch.rivals).toMatchObject({ bid: { bps: null }, ask: { bps: 66 } })
    })
  })

  it('never looks where lookEveryMinutes is null', () => {
    const params = optimal.params.parse({ lookEveryMinutes: null })
    const state = optimal.init(params)
    expect(quoteAt(0, { ...hiding, now: NOW + 500 * MINUTE }, params, state).bidBps).not.toBeNull()
  })
})

describe('what optimal learns of a calibration', () => {
  const near = (value: number) => ({ value, low: value * 0.8, high: value * 1.25 })
  const intensity = (a: number, fills: number): Intensity => ({
    a: near(a),
    k: near(1 / 40),
    fills,
    exposureDays: 7,
    method: 'likelihood',
    overdispersion: 1,
  })
  const known = (fills: number): Calibration => ({
    version: 1,
    from: 0,
    to: 1,
    fills,
    prints: 5,
    both: intensity(60, fills),
    bid: null,
    ask: null,
    sigma: null,
    markouts: [],
    sizesUsd: [200, 250, 300],
    warnings: [],
  })

  it('quotes nearer where customers accept less, once there are 30 fills', () => {
    const learned = quoteAt(0, { calibration: known(200) })
    expect(learned.askBps).toBeLessThan(quoteAt(0).askBps!)
    expect(quoteAt(0, { calibration: known(29) })).toEqual(quoteAt(0))
  })

  it('counts the takers of a tape with one spread by the measured rate, whatever A and k of the prior are', () => {
    const atOneSpread = (a: number): Calibration => {
      const both = { ...intensity(a, 200), quotedRate: { bps: 60, perDay: near(40) } }
      return { ...known(200), both }
    }
    const [few, many] = [atOneSpread(20), atOneSpread(80)]
    expect(quoteAt(0.3, { calibration: few })).toEqual(quoteAt(0.3, { calibration: many }))
    expect(quoteAt(0.3, { calibration: known(200) })).not.toEqual(quoteAt(0.3, { calibration: few }))
  })
})

describe('what optimal learns of its fills', () => {
  const ASKED = { bid: 60, ask: 60 }
  /** Quotes every half hour for ten days; `fillUsd` by side is filled every two hours. */
  function afterTenDays(fillUsd: Partial<typeof ASKED>, over: Over = {}) {
    const state = optimal.init(PARAMS)
    const at = (step: number) => NOW + step * 30 * MINUTE
    for (let step = 0; step < 480; step++) {
      const sides = step % 4 === 0 ? (Object.keys(fillUsd) as (keyof typeof ASKED)[]) : []
      const recentFills = sides.map((side) => ({
        at: at(step),
        side,
        usd: fillUsd[side]!,
        stable: 'USDC' as const,
      }))
      const standing = { bidBps: ASKED.bid, askBps: ASKED.ask }
      quoteAt(0, { now: at(step), recentFills, standing, ...over }, PARAMS, state)
    }
    return { takers: state.takers!, quote: quoteAt(0, { now: at(480), ...over }, PARAMS, state) }
  }

  it('the rate of takers of each side, at the spreads that it quoted', () => {
    // Twelve fills a day of 500 USD at 60 bps, in lots of 3,333 USD.
    const lots = ((12 * 500) / 3_333) * Math.exp(60 / 80)
    const { takers, quote } = afterTenDays({ bid: 500, ask: 500 })
    expect(Math.abs(Math.log(takers.bid / lots))).toBeLessThan(0.1)
    expect(takers.ask).toBe(takers.bid)
    // With few takers who bring dollars it pays to keep those in stock.
    const fewAsks = afterTenDays({ bid: 500, ask: 50 })
    expect(fewAsks.takers.ask).toBeLessThan(takers.ask / 3)
    expect(fewAsks.quote.bidBps).toBeGreaterThan(quote.bidBps!)
  })

  it('more takers from the same fills where it shared them with a rival within the tolerance', () => {
    const alone = afterTenDays({ bid: 500, ask: 500 }, shown(75, 75)).takers
    const shared = afterTenDays({ bid: 500, ask: 500 }, shown(58, 75)).takers
    expect(shared.bid / alone.bid).toBeGreaterThan(1.5)
    expect(shared.ask).toBe(alone.ask)
  })

  it('no customers from a take of a whole side beyond a third of it', () => {
    const third = afterTenDays({ bid: 500, ask: 50_000 / 3 })
    expect(afterTenDays({ bid: 500, ask: 50_000 })).toEqual(third)
  })

  it('nothing that makes a quote impossible, where the pool is empty', () => {
    const inventory = { ...contextAt(0).inventory, ntzs: 0, usd: 0, totalTzs: 0 }
    const { takers } = afterTenDays({ bid: 500 }, { inventory })
    expect(Number.isFinite(takers.bid) && Number.isFinite(takers.ask)).toBe(true)
  })
})

describe('the parameters of optimal', () => {
  it('refuse what is no parameter, and what is out of bounds', () => {
    expect(refusals(optimal.params, { limitLots: 500 })[0]).toContain('limitLots')
    expect(refusals(optimal.params, { looks: 5 })[0]).toContain('looks')
  })
})
