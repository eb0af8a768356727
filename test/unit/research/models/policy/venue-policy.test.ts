import { describe, expect, it } from 'vitest'
import {
  closedFormRows,
  type PolicyMarket,
  venuePolicy,
} from '../../../../../src/research/models/policy/venue-policy.ts'
import { V1 } from '../../../../support/policy-market.ts'

const onTarget = (market: PolicyMarket) => venuePolicy(market).rows[market.limitLots]

describe('the policy of the venue', () => {
  it('is the closed form rounded to the nearest where no bound binds', () => {
    const [programme, closed] = [venuePolicy(V1).rows, closedFormRows(V1)]
    const inside = (rows: typeof closed) => rows.filter(({ q }) => Math.abs(q) <= 10)
    expect(inside(programme)).toEqual(inside(closed))
  })

  it('with dollars worth more than the mid shows buys them at a narrower spread and sells them at a wider one', () => {
    const dear = onTarget({ ...V1, fairShiftBps: 30 })
    expect(dear?.askBps).toBeLessThan(onTarget(V1)!.askBps!)
    expect(dear?.bidBps).toBeGreaterThan(onTarget(V1)!.bidBps!)
  })

  it('buys nothing at its upper limit of inventory and sells nothing at its lower one', () => {
    const { rows } = venuePolicy(V1)
    expect([rows[0]?.bidBps, rows.at(-1)?.askBps]).toEqual([null, null])
  })

  it('is off on target on both sides where informed takers cost more than any spread earns', () => {
    const { rows, rho } = venuePolicy({ ...V1, informed: { perDay: 1000, tauBps: 200 } })
    expect(rows[20]).toEqual({ q: 0, askBps: null, bidBps: null })
    expect(rho).toBeCloseTo(0, 6)
    // With an inventory that costs it still wants to get rid of it.
    expect(rows[30]?.bidBps).not.toBeNull()
    expect(rows[30]?.askBps).toBeNull()
  })

  it('holds what a drift makes worth holding, though no spread pays', () => {
    const { rows, rho } = venuePolicy({
      ...V1,
      driftBpsPerDay: 10,
      informed: { perDay: 1000, tauBps: 200 },
    })
    // 10 q - 1.25 q^2 / 2 is largest at 8 lots.
    expect(rows[28]).toEqual({ q: 8, askBps: null, bidBps: null })
    expect(rho).toBeCloseTo(40, 6)
  })

  it('where no one brings dollars sells those above the target and keeps the others', () => {
    const { rows } = venuePolicy({ ...V1, aBuy: 0 })
    expect(rows.every(({ askBps }) => askBps === null)).toBe(true)
    expect(rows.filter(({ bidBps }) => bidBps !== null).map(({ q }) => q)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
  })

  it('stays just under the tolerance of a rival, matches him, or leaves the side to him', () => {
    const against = (rival: number) =>
      onTarget({ ...V1, rivals: { ask: [rival], bid: [], toleranceBps: 5 } })?.askBps
    // 1/k is 60: alone 61 bps would be best.
    expect([against(90), against(66), against(30)]).toEqual([61, 60, 24])
    expect(against(10)).toBe(15)
    expect(onTarget({ ...V1, rivals: { ask: [], bid: [30], toleranceBps: 5 } })?.bidBps).toBe(24)
  })

  it('starts from the solution of a near market and needs fewer rounds', () => {
    const before = venuePolicy(V1)
    const moved = { ...V1, fairShiftBps: 1 }
    const [cold, warm] = [venuePolicy(moved), venuePolicy(moved, before.steps)]
    expect(warm.rows).toEqual(cold.rows)
    expect(warm.rounds).toBeLessThan(cold.rounds)
  })

  it('takes no start of another number of lots', () => {
    const wrong = venuePolicy({ ...V1, limitLots: 5 }).steps
    expect(venuePolicy(V1, wrong)).toEqual(venuePolicy(V1))
  })

  it('is the closed form, named as such, where the rounds do not suffice', () => {
    const { method, rho, rows } = venuePolicy(V1, null, 2)
    expect([method, rho]).toEqual(['closed form', null])
    expect(rows).toEqual(closedFormRows(V1))
  })
})
