import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/base/time.ts'
import { createMarket } from '../../../src/core/market/market-state.ts'
import { breachOf, recordMidInForce } from '../../../src/core/market/mid-bounds.ts'
import { isWithinReach, type MidBounds } from '../../../src/core/market/window-reach.ts'
import { isWithinBand, type Rate, RATE_ONE, rateStepBps } from '../../../src/base/money/rate.ts'

/** A wait, also a clock that is set back, and a move of the mid. */
const step = fc.record({
  afterMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 400_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -600_000, max: 0 }) },
    { weight: 1, arbitrary: fc.integer({ min: HOUR_MS / 2, max: 2 * DAY_MS }) },
  ),
  bps: fc.integer({ min: -40, max: 40 }),
  anew: fc.integer({ min: 0, max: 30 }).map((n) => n === 0),
  isAsked: fc.boolean(),
})

/** Every bound against every mid in force, as the rules have it, one span after another. */
function breaks(market: ReturnType<typeof createMarket>, mid: Rate, bounds: MidBounds, now: number): boolean {
  const inForce = market.mid ?? mid
  const over = (from: Rate, limit: number | null) =>
    limit !== null && Math.abs(rateStepBps(from, mid)) > limit
  const overWithin = (limit: number | null, ms: number) =>
    over(inForce, limit) ||
    (market.spans ?? [])
      .filter(({ at }) => at + 300_000 > now - ms)
      .some(({ min, max }) => over(min, limit) || over(max, limit))
  return (
    over(inForce, bounds.maxStepBps) ||
    overWithin(bounds.maxMoveBpsPerHour, HOUR_MS) ||
    overWithin(bounds.maxMoveBpsPerDay, DAY_MS)
  )
}

test('the bounds of movement break for exactly the mids that the integers of every span break them for', () => {
  let [broken, kept] = [0, 0]
  const bound = fc.option(fc.integer({ min: 5, max: 300 }), { nil: null, freq: 5 })
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 20, maxLength: 150 }),
      bound,
      bound,
      bound,
      (steps, one, hour, day) => {
        const bounds = {
          corridor: null,
          maxStepBps: one,
          maxMoveBpsPerHour: hour,
          maxMoveBpsPerDay: day,
          clock: null,
        }
        const market = createMarket()
        market.mid = 2_500n * RATE_ONE
        let now = 1_800_000_000_000
        for (const { afterMs, bps, anew, isAsked } of steps) {
          now += afterMs
          const mid: Rate = (market.mid * BigInt(10_000 + bps)) / 10_000n
          const isBroken = breaks(market, mid, bounds, now)
          if (isAsked) expect(breachOf(market, mid, bounds, now) !== null).toBe(isBroken)
          if (isBroken) broken += 1
          else kept += 1
          if (isBroken && !anew) continue
          recordMidInForce(market, market.mid, mid, now, anew)
          market.mid = mid
        }
      },
    ),
    { numRuns: 300 },
  )
  expect(broken).toBeGreaterThan(500)
  expect(kept).toBeGreaterThan(500)
})

test('a mid within the reach of what was judged before breaks no bound, whatever came in between', () => {
  let [proven, refused] = [0, 0]
  const limit = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 12_000 }))
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 5, maxLength: 150 }),
      limit,
      limit,
      limit,
      fc.boolean(),
      (steps, one, hour, day, hasCorridor) => {
        const corridor = hasCorridor ? { min: 2_480n * RATE_ONE, max: 2_520n * RATE_ONE } : null
        const movement = { maxStepBps: one, maxMoveBpsPerHour: hour, maxMoveBpsPerDay: day }
        const bounds: MidBounds = { ...movement, corridor, clock: null }
        const market = createMarket()
        let inForce = 2_500n * RATE_ONE
        market.mid = inForce
        let now = 1_800_000_000_000
        for (const { afterMs, bps, anew, isAsked } of steps) {
          now += afterMs
          const mid: Rate = (inForce * BigInt(10_000 + bps)) / 10_000n
          const isBroken =
            breaks(market, mid, bounds, now) || (corridor !== null && !isWithinBand(corridor, mid))
          if (isAsked && isWithinReach(market, mid, bounds, now)) {
            proven += 1
            expect(isBroken).toBe(false)
          }
          if (isBroken) refused += 1
          recordMidInForce(market, inForce, mid, now, anew)
          inForce = market.mid = mid
        }
      },
    ),
    { numRuns: 1_000 },
  )
  expect(proven).toBeGreaterThan(1_000)
  expect(refused).toBeGreaterThan(1_000)
})
