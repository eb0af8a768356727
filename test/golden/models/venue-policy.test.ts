import { describe, expect, test } from 'vitest'
import { type PolicyMarket, venuePolicy } from '../../../src/research/models/policy/venue-policy.ts'
import { V1 } from '../../support/policy-market.ts'

const asksAt = (market: PolicyMarket, ...lots: readonly number[]) => {
  const { rows } = venuePolicy(market)
  return lots.map((q) => rows[q + market.limitLots]?.askBps)
}

const middle = (market: PolicyMarket) => {
  const row = venuePolicy(market).rows[market.limitLots]
  return [row?.askBps, row?.bidBps]
}

describe('the dynamic programme of the venue', () => {
  test('V1 has the spreads and the mean reward of policy iteration elsewhere (quant.md 2.4)', () => {
    const { rho, rows } = venuePolicy(V1)
    expect(asksAt(V1, -20, -10, -5, -1, 0, 1, 5, 10, 15, 20)).toEqual([
      11,
      45,
      53,
      59,
      61,
      62,
      69,
      77,
      85,
      null,
    ])
    expect(rows.map(({ bidBps }) => bidBps)).toEqual(rows.map(({ askBps }) => askBps).toReversed())
    expect(rho).toBeCloseTo(1742.3486, 4)
  })

  test('V1c: a drift of +5 bps a day makes the ask 54 and the bid 67 on target (quant.md 2.4)', () => {
    expect(middle({ ...V1, driftBpsPerDay: 5 })).toEqual([54, 67])
  })

  test('V2, where the floor binds, has an ask of 10 up to -5 lots and a mean reward of 316.0590 (quant.md 2.4)', () => {
    const market = { ...V1, k: 1 / 12, riskAversion: 0.02 }
    const short = Array.from({ length: 16 }, (_, i) => i - 20)
    expect(asksAt(market, ...short)).toEqual(short.map(() => 10))
    expect(asksAt(market, 0, 5, 10, 15)).toEqual([13, 32, 64, 112])
    expect(venuePolicy(market).rho).toBeCloseTo(316.059, 4)
  })

  test('V3: an adverse cost of 20 bps a fill makes it 81 and 81 on target (quant.md 2.4)', () => {
    expect(middle({ ...V1, adverseBps: 20 })).toEqual([81, 81])
  })

  test('converges in 5 to 9 rounds (quant.md 1.6)', () => {
    const markets = [V1, { ...V1, k: 1 / 12, riskAversion: 0.02 }, { ...V1, fairShiftBps: 80 }]
    for (const market of markets) {
      const { rounds, method } = venuePolicy(market)
      expect(method).toBe('programme')
      expect(rounds).toBeGreaterThanOrEqual(5)
      expect(rounds).toBeLessThanOrEqual(9)
    }
  })
})
