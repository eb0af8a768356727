import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sidePrices } from '../../../src/core/models/policy/side-prices.ts'
import {
  closedFormRows,
  type PolicyMarket,
  type VenuePolicy,
  venuePolicy,
} from '../../../src/research/models/policy/venue-policy.ts'
import { V1 } from '../../support/policy-market.ts'

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const spreads = fc.array(fc.integer({ min: 10, max: 500 }), { maxLength: 4 })

/** Everything that `mizani model policy` admits, up to 20 lots. */
const anyMarket: fc.Arbitrary<PolicyMarket> = fc.record({
  aBuy: fc.oneof(fc.constant(0), real(1e-3, 1e6)),
  aSell: fc.oneof(fc.constant(0), real(1e-3, 1e6)),
  k: real(1e-4, 0.5),
  kShape: fc.option(real(1.001, 1e3)),
  sigmaBps: real(0, 1000),
  riskAversion: real(0, 10),
  limitLots: fc.integer({ min: 1, max: 20 }),
  fairShiftBps: real(-500, 500),
  driftBpsPerDay: real(-1000, 1000),
  adverseBps: real(0, 500),
  informed: fc.record({ perDay: fc.oneof(fc.constant(0), real(0, 1e5)), tauBps: real(0, 1000) }),
  rivals: fc.record({ ask: spreads, bid: spreads, toleranceBps: fc.integer({ min: 0, max: 50 }) }),
})

/** What a desk may meet: the venue's parameters within a factor of some. */
const likelyMarket: fc.Arbitrary<PolicyMarket> = fc.record({
  aBuy: real(1, 200),
  aSell: real(1, 200),
  k: real(1 / 200, 1 / 8),
  kShape: fc.option(real(2, 100)),
  sigmaBps: real(5, 60),
  riskAversion: real(1e-4, 0.02),
  limitLots: fc.integer({ min: 2, max: 20 }),
  fairShiftBps: real(-150, 150),
  driftBpsPerDay: real(-30, 30),
  adverseBps: real(0, 40),
  informed: fc.record({ perDay: real(0, 20), tauBps: real(0, 100) }),
  rivals: fc.record({ ask: spreads, bid: spreads, toleranceBps: fc.constantFrom(0, 5) }),
})

function sidesOf({ aBuy, aSell, fairShiftBps, rivals, ...market }: PolicyMarket) {
  const { k, kShape, adverseBps, informed } = market
  const both = { k, kShape, adverseBps, informed, toleranceBps: rivals.toleranceBps }
  return {
    ask: sidePrices({ ...both, takersPerDay: aBuy, shiftBps: fairShiftBps, rivalBps: rivals.ask }),
    bid: sidePrices({ ...both, takersPerDay: aSell, shiftBps: -fairShiftBps, rivalBps: rivals.bid }),
  }
}

/** That no allowed spread of any side earns more than the chosen one, to what a float64 can tell. */
function expectOptimal(market: PolicyMarket, { rows, steps }: VenuePolicy): void {
  const { ask, bid } = sidesOf(market)
  const check = (prices: typeof ask, chosen: number | null | undefined, step: number) => {
    const values = Array.from(prices.incomes, (income, i) => income + prices.rates[i]! * step)
    const taken = values.filter((_, i) => prices.rates[i]! > 0)
    const most = Math.max(...taken, -Infinity)
    // A float64 cannot tell more of a sum than 1e-12 of its terms.
    const unsure =
      1e-11 * Math.max(...prices.rates.map((rate, i) => Math.abs(prices.incomes[i]!) + rate * Math.abs(step)))
    if (chosen == null) return expect(most).toBeLessThanOrEqual(unsure)
    expect(Math.abs(values[chosen - 10]! - most)).toBeLessThanOrEqual(unsure)
    expect(most).toBeGreaterThanOrEqual(-unsure)
  }
  for (const [i, step] of steps.entries()) {
    check(ask, rows[i]?.askBps, step)
    check(bid, rows[i + 1]?.bidBps, -step)
  }
}

describe('the best spreads of the venue', () => {
  it('are integers of 10 to 500 or off, and every figure is a number, for whatever is admitted', () => {
    fc.assert(
      fc.property(anyMarket, (market) => {
        const { rows, rho, steps, method } = venuePolicy(market)
        expect(rows).toHaveLength(2 * market.limitLots + 1)
        for (const bps of [...rows, ...closedFormRows(market)].flatMap(({ askBps, bidBps }) => [
          askBps,
          bidBps,
        ]))
          expect(bps === null || (Number.isInteger(bps) && bps >= 10 && bps <= 500)).toBe(true)
        // At A exp(100) takers a day rounding alone may turn one round's policy into the next one's.
        expect(rho === null).toBe(method === 'closed form')
        expect(Number.isFinite(rho ?? 0)).toBe(true)
        expect(steps.every(Number.isFinite)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('are optimal: no other allowed spread earns more, and a side is off exactly where none pays', () => {
    fc.assert(
      fc.property(likelyMarket, (market) => expectOptimal(market, venuePolicy(market))),
      { numRuns: 30 },
    )
  })

  it('are off, from any start, where takers are a rounding error of another figure', () => {
    const market: PolicyMarket = {
      aBuy: 1,
      aSell: 1,
      k: 0.005,
      kShape: 2,
      sigmaBps: 5,
      riskAversion: 1e-4,
      limitLots: 5,
      fairShiftBps: 0,
      driftBpsPerDay: 0,
      adverseBps: 30.523420524163004,
      informed: { perDay: 4.4e-323, tauBps: 96 },
      rivals: { ask: [], bid: [11], toleranceBps: 0 },
    }
    const plain = { ...market, adverseBps: 0, informed: { perDay: 0, tauBps: 0 } }
    const start = venuePolicy({ ...plain, rivals: { ...market.rivals, bid: [] } }).steps
    const { rows } = venuePolicy(market)
    expect(rows.find(({ q }) => q === -3)).toEqual({ q: -3, askBps: 500, bidBps: null })
    expect(venuePolicy(market, start).rows).toEqual(rows)
  })

  // Where a state is all but never left, rounding decides between spreads that earn the same: not in such a market.
  it('are the same from any start where takers come on both sides', () => {
    const market = { ...V1, rivals: { ...V1.rivals, toleranceBps: 0 } }
    const { rows } = venuePolicy(market)
    fc.assert(
      fc.property(likelyMarket, (other) => {
        expect(venuePolicy(market, venuePolicy({ ...other, limitLots: 20 }).steps).rows).toEqual(rows)
      }),
      { numRuns: 20 },
    )
  })
})
