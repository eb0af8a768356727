import { describe, expect, it } from 'vitest'
import {
  bestPrice,
  OFF,
  PRICES,
  type SideFlow,
  sidePrices,
} from '../../../../../src/core/models/policy/side-prices.ts'

const FLOW: SideFlow = {
  takersPerDay: 40,
  k: 1 / 60,
  kShape: null,
  shiftBps: 0,
  adverseBps: 0,
  informed: { perDay: 0, tauBps: 0 },
  rivalBps: [],
  toleranceBps: 5,
}

describe('what the allowed spreads of a side bring', () => {
  it('is one figure for each spread from 10 to 500', () => {
    const { rates, incomes } = sidePrices(FLOW)
    expect([PRICES, rates.length, incomes.length]).toEqual([491, 491, 491])
    expect(rates[50]).toBeCloseTo(40 * Math.exp(-1), 12)
    expect(incomes[50]).toBeCloseTo(40 * Math.exp(-1) * 60, 10)
  })

  it('is measured from the fair value, not from the mid', () => {
    const [plain, shifted] = [sidePrices(FLOW), sidePrices({ ...FLOW, shiftBps: 20 })]
    expect(shifted.rates[10]).toBeCloseTo(plain.rates[30]!, 12)
    expect(shifted.incomes[10]).toBeCloseTo(plain.incomes[30]!, 10)
  })

  it('is shared with the rivals within the tolerance, and nothing beyond it', () => {
    const { rates } = sidePrices({ ...FLOW, rivalBps: [60, 63, 90] })
    const shares = [54, 55, 58, 65, 66].map((bps) => rates[bps - 10]! / (40 * Math.exp(-bps / 60)))
    expect(shares.map((share) => Math.round(share * 1e9) / 1e9)).toEqual([
      1, 0.5, 0.333333333, 0.333333333, 0,
    ])
  })

  it('counts informed takers as fills that cost, whatever the rivals quote', () => {
    const informed = { perDay: 10, tauBps: 60 }
    const { rates, incomes } = sidePrices({ ...FLOW, informed, rivalBps: [10], toleranceBps: 0 })
    // 10 looks of the golden one of quant.md section 1.5.
    expect(rates[50]).toBeCloseTo(1.5866, 4)
    expect(incomes[50]).toBeCloseTo(-49.989, 3)
  })
})

describe('doubt about k', () => {
  const best = (kShape: number | null) =>
    bestPrice(sidePrices({ ...FLOW, kShape, adverseBps: 20 }), 0, OFF) + 10

  it('widens: with a shape of 4, a rate of 240 bps and a cost of 20 the best spread is 107, not 80 (market.md 4.7)', () => {
    expect([best(null), best(4)]).toEqual([80, 107])
  })

  it('is gone where the shape is large', () => {
    expect(best(1e9)).toBe(80)
    const [doubt, certain] = [sidePrices({ ...FLOW, kShape: 1e9 }), sidePrices(FLOW)]
    expect(doubt.rates[490]! / certain.rates[490]!).toBeCloseTo(1, 6)
  })

  it('makes no pole where the fair value is beyond the spread', () => {
    const { rates } = sidePrices({ ...FLOW, kShape: 2, shiftBps: -400 })
    expect(rates.every((rate) => Number.isFinite(rate) && rate > 0)).toBe(true)
    expect([...rates].toSorted((a, b) => b - a)).toEqual([...rates])
  })
})

describe('the best spread of a side', () => {
  it('is 1/k beyond the value of a lot, and off where even 500 bps do not pay for it', () => {
    const prices = sidePrices(FLOW)
    const best = (step: number) => {
      const place = bestPrice(prices, step, OFF)
      return place === OFF ? null : place + 10
    }
    expect([best(0), best(20), best(-20), best(-499), best(-501)]).toEqual([60, 40, 80, 500, null])
  })

  it('is off where no one comes', () => {
    expect(bestPrice(sidePrices({ ...FLOW, takersPerDay: 0 }), 100, OFF)).toBe(OFF)
  })

  it('of two equal ones is the one from before, or the lower', () => {
    const twins = { rates: new Float64Array(PRICES), incomes: new Float64Array(PRICES) }
    for (const place of [3, 8]) {
      twins.rates[place] = 1
      twins.incomes[place] = 5
    }
    expect([bestPrice(twins, 0, OFF), bestPrice(twins, 0, 8), bestPrice(twins, 0, 4)]).toEqual([3, 8, 3])
  })
})
