import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import type { StrategyContext } from '../../../src/core/strategy/context.ts'
import competitive from '../../../strategies/competitive.ts'
import { contextAt, expectTermsToSum, refusals } from './support.ts'

const HOUR = 3_600_000
const START = 1_767_603_600_000
const WRAPPED = { use: 'fixed-spread', params: {} }
const CALM = { strategy: WRAPPED, exploreShare: 0 }

type Seen = {
  readonly bestBps: number
  readonly own?: number | null
  readonly now?: number
  readonly ageMs?: number
}

/** One strategy around a quote of 80 on both sides: its bid as the venue shows one thing after the other. */
function bidder(given: object = {}, wrappedBps: number | null = 80) {
  const params = competitive.params.parse({ ...CALM, ...given })
  const state = competitive.init(params)
  const wrapped = { bidBps: wrappedBps, askBps: 80, reasons: ['wrapped'] }
  return (seen: Seen | null, over: Partial<StrategyContext> = {}) => {
    const context = contextAt(0, {
      now: seen?.now ?? START,
      standing: { bidBps: seen?.own ?? null, askBps: null },
      competition: {
        bid: seen === null ? null : { bestBps: seen.bestBps, ageMs: seen.ageMs ?? 0 },
        ask: null,
      },
      ...over,
    })
    const quote = competitive.quote(context, state, params, { wrapped: () => wrapped })
    expectTermsToSum(quote)
    return quote
  }
}

const exactly = (value: number) => ({ value, low: value, high: value })
/** 1/k is 30 bps. */
const LEARNED = {
  both: {
    a: exactly(40),
    k: exactly(1 / 30),
    fills: 300,
    exposureDays: 40,
    method: 'likelihood',
    overdispersion: 1,
  },
} as StrategyContext['calibration']

describe('competitive', () => {
  it('quotes what it wraps while no rival was seen', () => {
    expect(bidder()(null)).toMatchObject({ bidBps: 80, askBps: 80, reasons: ['wrapped'] })
  })

  it('names its own fallback after that of what it wraps, and none with takers that a calibration shows', () => {
    expect(bidder()(null).fallback).toBe('no calibration: against rivals 1/k is decayBps, 60 bps')
    const params = competitive.params.parse(CALM)
    const fallbackWith = (calibration: StrategyContext['calibration'], fallback?: string) => {
      const wrapped = { bidBps: 80, askBps: 80, reasons: [], ...(fallback === undefined ? {} : { fallback }) }
      const context = contextAt(0, { calibration })
      return competitive.quote(context, competitive.init(params), params, { wrapped: () => wrapped }).fallback
    }
    expect(fallbackWith(null, 'no feed')).toBe(`no feed; ${bidder()(null).fallback}`)
    expect(fallbackWith(LEARNED, 'no feed')).toBe('no feed')
    expect(fallbackWith(LEARNED)).toBeUndefined()
  })

  it('undercuts a rival who answers in months, and stays beside one who answers within the hour', () => {
    // 1/k = 60 and a markup of 60: the wrapped 80 has a reservation of 20, as the golden numbers of the best reply do.
    expect(bidder({ answerHours: 30 * 24 })({ bestBps: 66 }).bidBps).toBe(60)
    expect(bidder({ answerHours: 0.25 })({ bestBps: 66 }).bidBps).toBe(71)
    expect(bidder({ answerHours: 10 * 24 })({ bestBps: 66 }).bidBps).toBe(71)
  })

  it('takes the edge of the tolerance above a rival where undercutting does not pay', () => {
    expect(bidder()({ bestBps: 33 }).bidBps).toBe(38)
    expect(bidder({ rivals: 2, answerHours: 9_000 })({ bestBps: 33 }).bidBps).toBe(27)
  })

  it("uses the venue's tolerance unless a parameter names another one", () => {
    const beside = { answerHours: 0.01, markupBps: 70 }
    const strict = { toleranceBps: 0 }
    expect(bidder(beside)({ bestBps: 60 }, strict).bidBps).toBe(60)
    expect(bidder({ ...beside, toleranceBps: 8 })({ bestBps: 60 }, strict).bidBps).toBe(68)
  })

  it('stands as wide as alone below a rival who is far away, in the wrapped quote to the last digit', () => {
    const quote = bidder()({ bestBps: 200 })
    expect(quote.bidBps).toBeCloseTo(80, 9)
    expect(quote.reasons).toEqual(['wrapped'])
  })

  it('never goes below its reservation: beside a rival who does, the wrapped quote stands', () => {
    const quote = bidder()({ bestBps: 12 })
    expect(quote.bidBps).toBe(80)
    expect(quote.reasons).toContainEqual(expect.stringMatching(/^bid: a rival at 12 /))
    // With no markup the wrapped quote is the reservation.
    expect(bidder({ markupBps: 0 })({ bestBps: 66 }).bidBps).toBe(80)
    expect(bidder({ markupBps: 0 })({ bestBps: 78 }).bidBps).toBe(83)
  })

  it('is above the reservation for any rival, any wrapped quote and any draw, and finite', () => {
    const bps = fc.double({ min: -600, max: 600, noNaN: true })
    fc.assert(
      fc.property(
        bps,
        fc.integer({ min: 10, max: 500 }),
        fc.double({ min: 0, max: 490, noNaN: true }),
        fc.constantFrom(0, 0.5),
        (wrappedBps, bestBps, markupBps, exploreShare) => {
          const { bidBps } = bidder({ markupBps, exploreShare, exploreBps: 100 }, wrappedBps)({ bestBps })
          expect(Number.isFinite(bidBps)).toBe(true)
          expect(bidBps).toBeGreaterThanOrEqual(wrappedBps - markupBps - 1e-9)
        },
      ),
    )
  })

  it('leaves a side off that the wrapped strategy turns off', () => {
    expect(bidder({}, null)({ bestBps: 66 }).bidBps).toBeNull()
  })

  it('takes no reading of its own spread for a rival, also not one from before it moved', () => {
    const ask = bidder({ answerHours: 9_000 })
    expect(ask({ bestBps: 80, own: 80 }).bidBps).toBe(80)
    expect(ask({ bestBps: 80, own: 60, now: START + 1_000, ageMs: 2_000 }).bidBps).toBe(80)
    expect(ask({ bestBps: 60, own: null, now: START + 2_000 }).bidBps).toBe(80)
    // Read after it moved: someone else.
    expect(ask({ bestBps: 66, own: 60, now: START + HOUR, ageMs: 1_000 }).bidBps).toBe(80)
    expect(ask({ bestBps: 66, own: 60, now: START + 2 * HOUR, ageMs: 1_000 }).bidBps).toBe(60)
  })

  it('remembers a rival while the venue shows ourselves, forgets one that cannot be there, or after a time', () => {
    const ask = bidder({ answerHours: 9_000, rivalMinutes: 60 })
    expect(ask({ bestBps: 66 }).bidBps).toBe(60)
    expect(ask({ bestBps: 60, own: 60, now: START + 1_000 }).bidBps).toBe(60)
    expect(ask({ bestBps: 60, own: 60, now: START + 2 * HOUR }).bidBps).toBe(80)
    const other = bidder({ answerHours: 9_000 })
    expect(other({ bestBps: 66 }).bidBps).toBe(60)
    expect(other({ bestBps: 90, own: 90, now: START + 1_000 }).bidBps).toBe(60)
    expect(other({ bestBps: 90, own: 90, now: START + 2_000 }).bidBps).toBe(80)
  })

  it('follows no small moves of a rival', () => {
    const ask = bidder({ answerHours: 9_000, deadBandBps: 3 })
    expect(ask({ bestBps: 66 }).bidBps).toBe(60)
    expect(ask({ bestBps: 63, now: START + 1 }).bidBps).toBe(60)
    expect(ask({ bestBps: 62, now: START + 2 }).bidBps).toBe(56)
  })

  it('does not circle with a rival who answers each undercut: it learns how fast, and stays beside him', () => {
    const ask = bidder({ answerHours: 30 * 24, deadBandBps: 0 })
    let rival = 66
    let own = 80
    const lowest = { rival, own }
    for (let step = 1; step < 200; step++) {
      const best = Math.min(rival, own)
      const seen = { bestBps: best === own ? own : rival, own, now: START + step * HOUR }
      own = Math.round(ask(seen).bidBps ?? Number.NaN)
      // He stands six below us, down to 22.
      if (step % 2 === 0 && own < rival) rival = Math.max(22, own - 6)
      lowest.rival = Math.min(lowest.rival, rival)
      lowest.own = Math.min(lowest.own, own)
    }
    expect(lowest.own).toBeGreaterThan(40)
  })

  it('explores a share of the time, on both sides, and keeps a draw for its minutes', () => {
    const params = competitive.params.parse({
      ...CALM,
      exploreShare: 0.2,
      exploreBps: 10,
      exploreMinutes: 60,
    })
    const state = competitive.init(params)
    const wrapped = { bidBps: 80, askBps: 80, reasons: [] }
    let moved = 0
    let seed = 0
    for (let hour = 0; hour < 1_000; hour++) {
      const bids = [0, 1].map((half) => {
        seed += 1
        const seq = seed
        const random = (label: string) => seededRandom(seq, label)
        const context = contextAt(0, { now: START + hour * HOUR + half * (HOUR / 3), random })
        const quote = competitive.quote(context, state, params, { wrapped: () => wrapped })
        expect(Math.abs((quote.bidBps ?? 0) - 80)).toBeLessThanOrEqual(10)
        expectTermsToSum(quote)
        return quote.bidBps
      })
      expect(bids[0]).toBe(bids[1])
      if (bids[0] !== 80) moved += 1
    }
    expect(moved).toBeGreaterThan(100)
    expect(moved).toBeLessThan(300)
  })

  it('takes its k from a calibration that shows it', () => {
    const calibration = LEARNED
    // A reservation of 50 now, so that a rival at 66 leaves 11 to 21 bps.
    expect(bidder({ answerHours: 9_000 })({ bestBps: 66 }, { calibration }).bidBps).toBeGreaterThanOrEqual(60)
    expect(bidder()({ bestBps: 40 }, { calibration }).bidBps).toBe(80)
  })

  it('fills in its defaults and refuses what makes no sense', () => {
    expect(competitive.params.parse({ strategy: WRAPPED })).toMatchObject({ markupBps: null, decayBps: 60 })
    const wrong = [
      {},
      { strategy: { params: {} } },
      { strategy: WRAPPED, markupBps: -1 },
      { strategy: WRAPPED, rivals: 1.5 },
      { strategy: WRAPPED, exploreShare: 0.6 },
      { strategy: WRAPPED, answerHours: 0 },
      { strategy: WRAPPED, tolerance: 5 },
    ]
    for (const params of wrong) expect(refusals(competitive.params, params)).toHaveLength(1)
  })
})
