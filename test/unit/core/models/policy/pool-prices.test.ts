import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { routedShare } from '../../../../../src/core/market/routing.ts'
import {
  bestPoolPrice,
  createPoolPrices,
  priceBounds,
  type PoolRival,
  type PoolPrices,
  type Stake,
} from '../../../../../src/core/models/policy/pool-prices.ts'
import { OFF, PRICES } from '../../../../../src/core/models/policy/side-prices.ts'

const figure = fc.double({ min: -50, max: 50, noNaN: true })
const spread = fc.oneof(fc.integer({ min: 0, max: 520 }), fc.double({ min: 0, max: 520, noNaN: true }))

/** Smooth curves with a few jumps and plateaus, as the tables have them. */
const prices: fc.Arbitrary<PoolPrices> = fc
  .tuple(figure, figure, fc.double({ min: 1, max: 300, noNaN: true }), fc.integer({ min: 1, max: 60 }))
  .map(([height, tilt, decay, plateau]) => {
    const filled = createPoolPrices()
    for (let i = 0; i < PRICES; i++) {
      const at = Math.floor(i / plateau) * plateau
      filled.rates[i] = Math.abs(height) * Math.exp(-at / decay)
      filled.incomes[i] = filled.rates[i]! * (at + tilt)
      filled.takes[i] = Math.abs(tilt) * Math.exp(-(2 * at) / decay)
      filled.costs[i] = filled.takes[i]! * (at / 10)
    }
    return filled
  })

/** Every allowed spread, with the router's share of it. */
function bestOfAll(
  { rates, incomes, takes, costs }: PoolPrices,
  { bps, toleranceBps }: PoolRival,
  { step, stockLots, emptied }: Stake,
): number {
  let [best, most] = [OFF, 0]
  for (let i = 0; i < PRICES; i++) {
    const share = routedShare(10 + i, bps, toleranceBps)
    const rate = share * rates[i]!
    const value = share * incomes[i]! + rate * step - stockLots * costs[i]! + takes[i]! * emptied
    if (value > most && rate > 1e-9) [best, most] = [i, value]
  }
  return best
}

it('the best spread of a side is the lowest of those that earn the most of all', () => {
  const stake = fc.record({
    step: figure,
    stockLots: fc.double({ min: 0, max: 30, noNaN: true }),
    emptied: figure,
  })
  const rival = fc.record({
    bps: fc.option(spread),
    toleranceBps: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(2.5)),
  })
  fc.assert(
    fc.property(prices, fc.array(fc.tuple(rival, stake), { minLength: 1 }), (filled, asked) => {
      const bounds = priceBounds(filled)
      for (const [other, at] of asked) {
        const best = bestOfAll(filled, other, at)
        expect(bestPoolPrice(filled, other, at)).toBe(best)
        expect(bestPoolPrice(filled, other, at, null, bounds)).toBe(best)
      }
    }),
    { numRuns: 2_000 },
  )
})
