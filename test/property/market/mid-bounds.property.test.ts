import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/base/time.ts'
import { createMarket, type MarketState } from '../../../src/core/market/market-state.ts'
import type { MidBounds } from '../../../src/core/market/window-reach.ts'
import { type Rate, RATE_ONE, rateStepBps } from '../../../src/base/money/rate.ts'
import { acceptPendingMid, takePublicRate, takeRate } from '../../../src/core/market/take-rate.ts'

const BOUNDS: MidBounds = {
  corridor: { min: 2_000n * RATE_ONE, max: 3_000n * RATE_ONE },
  maxStepBps: 150,
  maxMoveBpsPerHour: 200,
  maxMoveBpsPerDay: 500,
  clock: 'real',
}

/** What the venue does next: how long it waits, where it says the mid goes, by which endpoint, dated how. */
const answer = fc.record({
  afterMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 600_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 600_000, max: 2 * DAY_MS }) },
  ),
  bps: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: -160, max: 160 }) },
    { weight: 1, arbitrary: fc.integer({ min: -9_999, max: 90_000 }) },
  ),
  isPublic: fc.boolean(),
  aheadMs: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    fc.integer({ min: -9_000_000, max: 9_000_000 }),
  ),
  person: fc.integer({ min: 0, max: 19 }),
})

type Adopted = { readonly mid: Rate; readonly from: number; until: number }

/** What no sequence of answers may bring about; `since` = the mids in force since someone vouched last. */
function expectBounded(market: MarketState, t: number, since: readonly Adopted[]): void {
  const mid = market.mid ?? 0n
  expect(mid >= 2_000n * RATE_ONE && mid <= 3_000n * RATE_ONE).toBe(true)
  for (const one of since) {
    if (one.until > t - HOUR_MS) expect(Math.abs(rateStepBps(one.mid, mid))).toBeLessThanOrEqual(200)
    if (one.until > t - DAY_MS) expect(Math.abs(rateStepBps(one.mid, mid))).toBeLessThanOrEqual(500)
  }
}

test('no sequence of answers of the venue leads the mid outside its corridor, or further in an hour or a day than the bounds', () => {
  fc.assert(
    fc.property(fc.array(answer, { minLength: 1, maxLength: 120 }), (answers) => {
      const market = createMarket()
      let t = 1_800_000_000_000
      let since: Adopted[] = []
      let otherSource = 0
      const note = () => {
        const { mid } = market
        const last = since.at(-1)
        if (last !== undefined) last.until = t
        if (mid !== null && last?.mid !== mid) since.push({ mid, from: t, until: t })
      }
      const first = {
        t,
        mid: 2_500n * RATE_ONE,
        problem: null,
        rateUpdatedAt: t,
        quotable: true,
        venueTime: t,
      }
      takeRate(market, first, BOUNDS, [])
      note()
      for (const { afterMs, bps, isPublic, aheadMs, person } of answers) {
        t += afterMs
        note()
        const mid = ((market.mid ?? 0n) * BigInt(10_000 + bps)) / 10_000n
        if (isPublic) {
          takePublicRate(market, { t, side: 'ask', mid, bestBps: null, protocolFeeBps: null }, BOUNDS)
        } else {
          const dated = { rateUpdatedAt: t + aheadMs, venueTime: t }
          const isFirst = market.gap?.isFirst === true
          takeRate(market, { t, mid, problem: null, quotable: true, ...dated }, BOUNDS, [])
          if (aheadMs > 60_000) expect(market.rateUpdatedAt).not.toBe(t + aheadMs)
          // The first mid of the public rate, after it has differed from GET /rate for a minute.
          if (isFirst && market.gap?.isFirst === false) {
            since = []
            otherSource += 1
          }
        }
        if (market.mid !== since.at(-1)?.mid) expectBounded(market, t, since)
        note()
        if (person === 0 && market.pending !== null) {
          acceptPendingMid(market, t)
          since = []
          note()
          expectBounded(market, t, since)
        }
      }
      expect(market.spans?.length ?? 0).toBeLessThanOrEqual(290)
      expect(otherSource).toBeLessThanOrEqual(1)
    }),
    { numRuns: 100 },
  )
})

test('however often the venue publishes it, what waits is adopted by no one but a person', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 151, max: 1_900 }), { minLength: 1, maxLength: 60 }), (steps) => {
      const market = createMarket()
      const day = 1_800_000_000_000
      const read = (t: number, mid: Rate) =>
        takeRate(
          market,
          { t, mid, problem: null, rateUpdatedAt: t, quotable: true, venueTime: t },
          { ...BOUNDS, maxMoveBpsPerHour: null, maxMoveBpsPerDay: null },
          [],
        )
      read(day, 2_500n * RATE_ONE)
      for (const [n, bps] of steps.entries())
        read(day + (n + 1) * HOUR_MS, (2_500n * RATE_ONE * BigInt(10_000 + bps)) / 10_000n)
      expect(market.mid).toBe(2_500n * RATE_ONE)
    }),
    { numRuns: 40 },
  )
})

test('a mid in force that was judged by the same bounds is judged as it would be anew, whatever comes between', () => {
  /** `afterMs` may be negative (a clock that is set back), and 0 bps repeats the mid in force, as a second endpoint does. */
  const step = fc.record({
    afterMs: fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 900_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: -7_200_000, max: 7_200_000 }) },
    ),
    bps: fc.oneof(
      { weight: 2, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.integer({ min: -170, max: 170 }) },
    ),
    isPublic: fc.boolean(),
    person: fc.integer({ min: 0, max: 9 }),
    isTight: fc.integer({ min: 0, max: 15 }),
  })
  const dated = (t: number, mid: Rate) => {
    return { t, mid, problem: null, quotable: true, rateUpdatedAt: t, venueTime: t }
  }
  const tight: MidBounds = { ...BOUNDS, maxStepBps: 10, maxMoveBpsPerHour: 20, maxMoveBpsPerDay: 30 }
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 80 }), (steps) => {
      /** Every answer and what came of it; `isAnew`: another market's mid is judged before each, so that none was the last. */
      const walk = (isAnew: boolean): unknown[] => {
        const market = createMarket()
        const seen: unknown[] = []
        let t = 1_800_000_000_000
        const take = (mid: Rate, isPublic: boolean, bounds: MidBounds) => {
          if (isAnew) takeRate(createMarket(), dated(t, 2_001n * RATE_ONE), BOUNDS, [])
          seen.push(
            isPublic
              ? takePublicRate(market, { t, side: 'ask', mid, bestBps: null, protocolFeeBps: null }, bounds)
              : takeRate(market, dated(t, mid), bounds, []),
            structuredClone(market),
          )
        }
        take(2_500n * RATE_ONE, false, BOUNDS)
        for (const { afterMs, bps, isPublic, person, isTight } of steps) {
          t += afterMs
          const mid = ((market.mid ?? 0n) * BigInt(10_000 + bps)) / 10_000n
          take(mid, isPublic, isTight === 0 ? tight : BOUNDS)
          if (person === 0 && market.pending !== null) seen.push(acceptPendingMid(market, t))
        }
        return seen
      }
      expect(walk(false)).toEqual(walk(true))
    }),
    { numRuns: 300 },
  )
})

test('a clock that is set back judges the mid in force by the window of that time', () => {
  const market = createMarket()
  const start = 1_800_000_000_000
  const read = (minutes: number, mid: Rate) => {
    const t = start + minutes * 60_000
    const reading = { t, mid, problem: null, rateUpdatedAt: t, quotable: true, venueTime: t }
    return takeRate(market, reading, BOUNDS, []).kind
  }
  const [first, second, third] = [2_500n * RATE_ONE, 2_535n * RATE_ONE, 2_570n * RATE_ONE]
  expect([read(0, first), read(10, second), read(75, third), read(76, third)]).toEqual([
    'changed',
    'changed',
    'changed',
    'same',
  ])
  expect(read(20, third)).toBe('refused')
})
