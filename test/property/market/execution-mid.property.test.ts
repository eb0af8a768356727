import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../src/base/codec.ts'
import { GAP_LASTS_MS } from '../../../src/core/market/execution-mid.ts'
import { createMarket, type MarketState } from '../../../src/core/market/market-state.ts'
import { apartPairs, executionMidOf, takePairMid } from '../../../src/core/market/pair-mids.ts'
import { takePublicRate, takeRate } from '../../../src/core/market/take-rate.ts'
import type { MidBounds } from '../../../src/core/market/window-reach.ts'
import { isWithinBand, type Rate, RATE_ONE, rateStepBps } from '../../../src/base/money/rate.ts'

const CORRIDOR = { min: 2_200n * RATE_ONE, max: 2_900n * RATE_ONE }
const BOUNDS: MidBounds = {
  corridor: CORRIDOR,
  maxStepBps: 150,
  maxMoveBpsPerHour: 200,
  maxMoveBpsPerDay: 500,
  clock: null,
}
const BASE = 2_568n * RATE_ONE
const START = 1_800_000_000_000

const by = (mid: Rate, bps: number): Rate => (mid * BigInt(10_000 + bps)) / 10_000n

type Source = 'rate' | 'USDC' | 'USDT'

function take(market: MarketState, source: Source, t: number, mid: Rate): void {
  if (source === 'rate') {
    const reading = { t, mid, problem: null, rateUpdatedAt: null, quotable: null, venueTime: null }
    takeRate(market, reading, BOUNDS, [])
  } else if (source === 'USDC') {
    takePublicRate(market, { t, side: 'ask', mid, bestBps: 70, protocolFeeBps: 20 }, BOUNDS)
  } else takePairMid(market, { t, stable: 'USDT', mid }, BOUNDS)
}

const answers = fc.array(
  fc.record({
    source: fc.constantFrom<Source>('rate', 'USDC', 'USDT'),
    afterMs: fc.integer({ min: 1, max: 30_000 }),
    bps: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: -200, max: 200 })),
  }),
  { minLength: 10, maxLength: 120 },
)

test('a venue whose sources name one mid leaves neither a gap nor a pair of its own, whatever source shows a new mid first', () => {
  fc.assert(
    fc.property(answers, (all) => {
      const market = createMarket()
      let [t, mid] = [START, BASE]
      take(market, 'rate', t, mid)
      for (const { source, afterMs, bps } of all) {
        t += afterMs
        mid = by(mid, Math.trunc(bps / 100))
        take(market, source, t, mid)
      }
      for (const source of ['USDC', 'rate', 'USDC', 'USDT'] as const) take(market, source, (t += 1_000), mid)
      expect(market.gap).toBeUndefined()
      expect(apartPairs(market, 'USDC')).toEqual([])
      expect(executionMidOf(market, 'USDT', t)).toBe(market.mid)
    }),
    { numRuns: 300 },
  )
})

test('sources that keep 32 to 825 bps apart end with the mid of each pair, from whatever they named before', () => {
  const apart = fc.integer({ min: 32, max: 825 }).chain((bps) => fc.constantFrom(bps, -bps))
  fc.assert(
    fc.property(apart, apart, fc.constantFrom<Source>('rate', 'USDC', 'USDT'), (usdc, usdt, first) => {
      const market = createMarket()
      const figures = { rate: BASE, USDC: by(BASE, usdc), USDT: by(BASE, usdt) }
      let t = START
      const order = ([first, 'rate', 'USDC', 'USDT'] as const).filter((one, at) => at === 0 || one !== first)
      for (let round = 0; round * 5_000 <= GAP_LASTS_MS + 10_000; round++)
        for (const source of order) take(market, source, (t += 1_666), figures[source])
      expect(market).toMatchObject({ mid: figures.USDC, pending: null, problem: null })
      expect(executionMidOf(market, 'USDT', t)).toBe(figures.USDT)
    }),
    { numRuns: 200 },
  )
})

test('no sequence of answers leads a mid of any pair outside the corridor or over the step bound of its own history, also after the state was encoded and decoded', () => {
  fc.assert(
    fc.property(answers, fc.nat(), (all, cut) => {
      let market = createMarket()
      const named = { rate: BASE, USDC: BASE, USDT: by(BASE, -100) }
      let t = START
      take(market, 'rate', t, BASE)
      for (const [at, { source, afterMs, bps }] of all.entries()) {
        t += afterMs
        named[source] = by(named[source], bps)
        if (at === cut % all.length) market = decodeJson(encodeJson(market)) as MarketState
        const [before, inForce] = [market.pairs?.USDT?.mid ?? null, market.mid]
        take(market, source, t, named[source])
        const after = market.pairs?.USDT?.mid ?? null
        for (const mid of [after, market.mid])
          if (mid !== null) expect(isWithinBand(CORRIDOR, mid)).toBe(true)
        if (before !== null && after !== null && after !== inForce)
          expect(Math.abs(rateStepBps(before, after))).toBeLessThanOrEqual(150)
      }
    }),
    { numRuns: 200 },
  )
})
