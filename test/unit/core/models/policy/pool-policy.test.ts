import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PoolMarket, poolValue } from '../../../../../src/core/models/policy/pool-policy.ts'
import { poolQuote } from '../../../../../src/core/models/policy/pool-quote.ts'
import { venuePolicy } from '../../../../../src/research/models/policy/venue-policy.ts'
import { V1 } from '../../../../support/policy-market.ts'

/** Customers only, who all know the fair value, as we do. */
const QUIET: PoolMarket = {
  takers: {
    k: 1 / 60,
    kShape: null,
    midShare: 0,
    informed: { perDay: 0, marginBps: 20, errorBps: 15 },
  },
  askLotsPerDay: 40,
  bidLotsPerDay: 40,
  limitLots: 20,
  tauBps: 0,
  estimateSdBps: 0,
  rivals: { askBps: null, bidBps: null, toleranceBps: 5 },
  driftBpsPerDay: 0,
  riskPerDay: 0.002 * 625,
  restocking: { perDay: 0, belowShare: 0.2, costBps: 50 },
}
const INFORMED: PoolMarket = {
  ...QUIET,
  takers: { ...QUIET.takers, informed: { perDay: 3, marginBps: 20, errorBps: 15 } },
  tauBps: 40,
}

function at(market: PoolMarket, q: number, gapBps = 0, rivalBps: number | null = null) {
  const rivals = { askBps: rivalBps, bidBps: rivalBps }
  const { ask, bid } = poolQuote(market, { q, gapBps, tauBps: market.tauBps, rivals })
  return { askBps: ask.bps, bidBps: bid.bps }
}

describe('the policy of a pool', () => {
  it('is the policy of the venue where no one is informed, nothing is restocked and the gap is known', () => {
    const venue = venuePolicy(V1)
    expect(poolValue(QUIET).rho).toBeCloseTo(venue.rho ?? 0, 2)
    for (const { q, askBps, bidBps } of venue.rows)
      expect({ q, ...at(QUIET, q) }).toEqual({ q, askBps, bidBps })
  })

  it('long of dollars asks more for buying them and less for selling them', () => {
    expect(at(INFORMED, 10).askBps).toBeGreaterThan(at(INFORMED, 0).askBps!)
    expect(at(INFORMED, 10).bidBps).toBeLessThan(at(INFORMED, 0).bidBps!)
  })

  it('sells dollars at a wider spread and buys them at a narrower one while they are worth more than the mid', () => {
    expect(at(INFORMED, 0, 30).bidBps).toBeGreaterThan(at(INFORMED, 0).bidBps!)
    expect(at(INFORMED, 0, 30).askBps).toBeLessThan(at(INFORMED, 0).askBps!)
  })

  it('with dollars about to gain is worth more with more of them', () => {
    const step = (market: PoolMarket) => poolValue(market).values[21]! - poolValue(market).values[20]!
    expect(step({ ...QUIET, driftBpsPerDay: 10 })).toBeGreaterThan(step(QUIET))
  })

  it('quotes wider where informed takers look more often, and where its estimate is worse', () => {
    const often = {
      ...INFORMED,
      takers: { ...INFORMED.takers, informed: { perDay: 30, marginBps: 20, errorBps: 15 } },
    }
    expect(at(often, 0).askBps).toBeGreaterThan(at(INFORMED, 0).askBps!)
    expect(at({ ...INFORMED, tauBps: 80 }, 0).askBps).toBeGreaterThan(at(INFORMED, 0).askBps!)
    expect(poolValue(often).rho).toBeLessThan(poolValue(INFORMED).rho!)
  })

  it('that does not converge is the closed form, which moves both quotes by the same for every lot', () => {
    expect(poolValue(INFORMED).method).toBe('programme')
    const { values, rho, method } = poolValue(INFORMED, 1)
    expect({ rho, method }).toEqual({ rho: null, method: 'closed form' })
    // c = sqrt(e gamma sigma^2 / (2 k A)), quant.md section 1.3.
    const c = Math.sqrt((Math.E * 1.25) / ((2 / 60) * 40))
    const at = (q: number) => values[q + INFORMED.limitLots]!
    for (const q of [-19, 0, 7, 18]) expect(at(q) - at(q + 1)).toBeCloseTo((q + 0.5) * c, 9)
  })

  it('is the closed form where its equations have no finite solution, and is a quote still', () => {
    const broken = { ...INFORMED, driftBpsPerDay: Number.MAX_VALUE }
    expect(poolValue(broken).method).toBe('closed form')
    const moment = { q: 0, gapBps: 0, tauBps: 40, rivals: { askBps: null, bidBps: null } }
    const { ask, bid, method } = poolQuote(broken, moment)
    expect(method).toBe('closed form')
    for (const { bps } of [ask, bid]) expect(bps).toBeGreaterThanOrEqual(60)
  })

  it('has an empty side off, and the other one on', () => {
    const empty = at(INFORMED, -20)
    expect(empty.bidBps).toBeNull()
    expect(empty.askBps).not.toBeNull()
  })

  it('undercuts a rival by more than the tolerance, or leaves him the customers', () => {
    const { askBps } = at(INFORMED, 0, 0, 50)
    expect([44, 55]).toContain(askBps)
  })

  it('is off where the rival is so near that no spread under his pays', () => {
    const lurking = {
      ...INFORMED,
      takers: { ...INFORMED.takers, informed: { perDay: 200, marginBps: 0, errorBps: 0 } },
    }
    expect(at({ ...lurking, tauBps: 100 }, 0, 0, 20).askBps).toBeNull()
  })

  it('refuses a limit that is no number of lots', () => {
    for (const limitLots of [0, 2.5, 101, Number.NaN])
      expect(() => poolValue({ ...QUIET, limitLots })).toThrow('from 1 to 100')
  })

  const markets = fc.record({
    k: fc.double({ min: 0.001, max: 0.2, noNaN: true }),
    kShape: fc.option(fc.double({ min: 1, max: 1_000, noNaN: true })),
    midShare: fc.double({ min: 0, max: 1, noNaN: true }),
    looks: fc.double({ min: 0, max: 100, noNaN: true }),
    ask: fc.double({ min: 0, max: 200, noNaN: true }),
    bid: fc.double({ min: 0, max: 200, noNaN: true }),
    tauBps: fc.integer({ min: 0, max: 200 }),
    estimateSdBps: fc.integer({ min: 0, max: 200 }),
    rivalBps: fc.option(fc.integer({ min: 10, max: 500 })),
    driftBpsPerDay: fc.integer({ min: -100, max: 100 }),
    restockPerDay: fc.constantFrom(0, 1 / 7, 5),
    q: fc.double({ min: -8, max: 8, noNaN: true }),
    gapBps: fc.integer({ min: -500, max: 500 }),
  })

  it('quotes whole bps from 10 to 500 or nothing, and its parts sum to the spread, in any market', () => {
    fc.assert(
      fc.property(markets, ({ q, gapBps, rivalBps, ...drawn }) => {
        const market: PoolMarket = {
          ...QUIET,
          takers: {
            k: drawn.k,
            kShape: drawn.kShape,
            midShare: drawn.midShare,
            informed: { perDay: drawn.looks, marginBps: 20, errorBps: 15 },
          },
          askLotsPerDay: drawn.ask,
          bidLotsPerDay: drawn.bid,
          limitLots: 6,
          tauBps: drawn.tauBps,
          estimateSdBps: drawn.estimateSdBps,
          driftBpsPerDay: drawn.driftBpsPerDay,
          restocking: { ...QUIET.restocking, perDay: drawn.restockPerDay },
        }
        const rivals = { askBps: rivalBps, bidBps: rivalBps }
        const quote = poolQuote(market, { q, gapBps, tauBps: drawn.tauBps, rivals })
        for (const { bps, ...parts } of [quote.ask, quote.bid]) {
          const sum = Object.values(parts).reduce((total, part) => total + part, 0)
          expect(Number.isFinite(sum)).toBe(true)
          if (bps === null) continue
          expect(bps).toBe(Math.round(Math.min(500, Math.max(10, bps))))
          expect(Math.abs(sum - bps)).toBeLessThan(1e-6 * (1 + Math.abs(parts.inventory)))
        }
      }),
      { numRuns: 25 },
    )
  })

  it('lowers the bid and raises the ask with every lot of dollars more, where nothing is restocked', () => {
    fc.assert(
      fc.property(markets, ({ k, ask, bid, driftBpsPerDay, gapBps }) => {
        const market = {
          ...QUIET,
          takers: { ...QUIET.takers, k },
          askLotsPerDay: 1 + ask,
          bidLotsPerDay: 1 + bid,
          limitLots: 6,
          driftBpsPerDay,
        }
        const quotes = Array.from({ length: 11 }, (_, i) => at(market, i - 5, gapBps))
        for (const [i, { askBps, bidBps }] of quotes.entries()) {
          const before = quotes[i - 1]
          if (before === undefined) continue
          expect(askBps ?? 501).toBeGreaterThanOrEqual(before.askBps ?? 501)
          expect(bidBps ?? 501).toBeLessThanOrEqual(before.bidBps ?? 501)
        }
      }),
      { numRuns: 25 },
    )
  })
})
