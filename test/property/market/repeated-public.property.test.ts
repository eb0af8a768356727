import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMarket, type MarketState } from '../../../src/core/market/market-state.ts'
import type { MidBounds } from '../../../src/core/market/window-reach.ts'
import { RATE_ONE } from '../../../src/base/money/rate.ts'
import { repeatsPublicRate, takePublicRate, takeRate } from '../../../src/core/market/take-rate.ts'

const BOUNDS: MidBounds = {
  corridor: null,
  maxStepBps: 150,
  maxMoveBpsPerHour: null,
  maxMoveBpsPerDay: null,
  clock: null,
}

const rare = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))

/** Few values, so that many answers repeat each other; one mid is a step over the bound. */
const reading = fc.record({
  isPublic: fc.boolean(),
  side: fc.constantFrom('bid' as const, 'ask' as const),
  mid: rare<bigint | null>(2_500n * RATE_ONE, 2_510n * RATE_ONE, 2_900n * RATE_ONE, 0n, null),
  bestBps: rare<number | null>(40, 60, null),
  protocolFeeBps: rare<number | null>(10, 20, null),
})

/** All but how young the best spreads are. */
function known(market: MarketState): unknown {
  const { bid, ask } = market.competition
  return structuredClone({ ...market, competition: { bid: bid?.bps ?? null, ask: ask?.bps ?? null } })
}

test('a public reading that repeats what was reported changes nothing that is known and brings no news', () => {
  const seen = { repeated: 0, news: 0 }
  fc.assert(
    fc.property(fc.array(reading, { minLength: 10, maxLength: 60 }), (readings) => {
      const market = createMarket()
      for (const [t, { isPublic, ...said }] of readings.entries()) {
        const answer = { ...said, t, problem: null, rateUpdatedAt: null, quotable: null, venueTime: null }
        if (!isPublic) {
          takeRate(market, answer, BOUNDS, [])
          continue
        }
        const isRepeated = repeatsPublicRate(market, answer)
        const before = known(market)
        const change = takePublicRate(market, answer, BOUNDS)
        seen[isRepeated ? 'repeated' : 'news'] += 1
        if (!isRepeated) continue
        expect(known(market)).toEqual(before)
        expect(change).toMatchObject({
          midChanged: false,
          confirmMid: false,
          bestMoved: false,
          feeBefore: null,
        })
      }
    }),
    { numRuns: 300, seed: 20_261_122 },
  )
  expect(seen.repeated).toBeGreaterThan(100)
  expect(seen.news).toBeGreaterThan(100)
})
