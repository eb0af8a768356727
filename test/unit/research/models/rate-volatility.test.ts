import { describe, expect, it } from 'vitest'
import { drawNormal, seededRandom } from '../../../../src/base/random.ts'
import { DAY_MS } from '../../../../src/base/time.ts'
import {
  rateVolatility,
  SIGMA_FLOOR_BPS,
  type RateUpdate,
} from '../../../../src/research/models/rate-volatility.ts'

/** A random walk of `sigmaBps` per root of a day, with a print every `days`. */
function drawPrints(count: number, sigmaBps: number, seed: number, days = 1): readonly RateUpdate[] {
  const random = seededRandom(seed, 'prints')
  let mid = 2568
  return Array.from({ length: count }, (_, i) => {
    if (i > 0) mid *= Math.exp((sigmaBps / 1e4) * Math.sqrt(days) * drawNormal(random))
    return { t: i * days * DAY_MS, mid }
  })
}

describe('volatility by prints', () => {
  const random = () => seededRandom(1, 'bootstrap')

  it('of a steady climb is computed by hand', () => {
    // Up 20 bps a print, a print a day: each five-print return is 100 bps in 5 days, 100 / sqrt(5) = 44.72.
    const prints = Array.from({ length: 30 }, (_, i) => ({ t: i * DAY_MS, mid: 2500 * Math.exp(0.002 * i) }))
    expect(rateVolatility(prints, random())?.value).toBeCloseTo(100 / Math.sqrt(5), 9)
  })

  it('does not depend on how often the rate is published', () => {
    for (const days of [0.1, 1, 3]) {
      const found = rateVolatility(drawPrints(3000, 25, 2, days), random())
      expect((found?.value ?? 0) / 25).toBeCloseTo(1, 0.9)
    }
  })

  it('sees a move that leaks into the next prints whole', () => {
    // Half of each day's move is published a day later: single returns show sqrt(1/2) of it.
    const leaking = drawPrints(3000, 30, 3).map((print, i, all) => ({
      t: print.t,
      mid: Math.sqrt(print.mid * (all[i - 1]?.mid ?? print.mid)),
    }))
    expect((rateVolatility(leaking, random())?.value ?? 0) / 30).toBeGreaterThan(0.9)
  })

  it('covers the truth, with fewer prints somewhat less often than stated', () => {
    let covered = 0
    for (let seed = 0; seed < 150; seed++) {
      const found = rateVolatility(drawPrints(120, 25, seed), seededRandom(seed, 'bootstrap'))
      if (found !== null && found.low <= 25 && 25 <= found.high) covered++
    }
    expect(covered / 150).toBeGreaterThan(0.76)
  })

  it('is never below the floor, also of a rate that stood still', () => {
    const still = Array.from({ length: 9 }, (_, i) => ({ t: i * DAY_MS, mid: 2500 }))
    const floor = SIGMA_FLOOR_BPS
    expect(rateVolatility(still, random())).toEqual({ value: floor, low: floor, high: floor })
  })

  it('is not said for fewer than three prints', () => {
    expect(rateVolatility(drawPrints(2, 25, 1), random())).toBeNull()
    const three = rateVolatility(drawPrints(3, 400, 1), random())
    expect(three?.low).toBeLessThanOrEqual(three?.value ?? 0)
    expect(three?.high).toBeGreaterThanOrEqual(three?.value ?? Infinity)
  })
})
