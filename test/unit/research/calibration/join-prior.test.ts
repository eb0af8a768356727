import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../../src/base/time.ts'
import type { Calibration, Estimate } from '../../../../src/core/models/calibration.ts'
import { calibrateBatch } from '../../../../src/research/calibration/calibrate.ts'
import { joinPrior } from '../../../../src/research/calibration/join-prior.ts'
import { batchOfRows } from '../../../../src/store/tape/model/batch.ts'
import { drawRows, type DrawnMarket, GOLDEN_MARKET } from './drawn-tape.ts'

const calibrated = (change: Partial<DrawnMarket>): Calibration =>
  calibrateBatch(batchOfRows(drawRows({ ...GOLDEN_MARKET, ...change })), { toleranceBps: 5, seed: 1 })
const logWidth = ({ low, high }: Estimate) => Math.log(high / low)
/** The same estimates of rows that ended so many days earlier. */
const aged = (calibration: Calibration, days: number): Calibration => ({
  ...calibration,
  from: calibration.from - days * DAY_MS,
  to: calibration.to - days * DAY_MS,
})

const now = calibrated({})

describe('a calibration joined with an earlier one', () => {
  test('that is equal and as recent has the same values and half of the variances', () => {
    const { calibration, weight } = joinPrior(now, now)
    expect(weight).toBe(1)
    for (const key of ['a', 'k'] as const) {
      expect(calibration.both[key].value / now.both[key].value).toBeCloseTo(1, 6)
      expect(logWidth(calibration.both[key])).toBeCloseTo(logWidth(now.both[key]) / Math.SQRT2, 6)
    }
    expect(calibration.both.fills).toBe(2 * now.both.fills)
    expect(calibration.sigma).toEqual(now.sigma)
  })

  test('counts half of its fills after eight weeks, and names them', () => {
    const { calibration, weight } = joinPrior(now, aged(now, 56))
    const { fills } = now.both
    expect(weight).toBeCloseTo(0.5, 9)
    expect(calibration.both.fills).toBe(fills + Math.round(fills / 2))
    expect(calibration.warnings[0]).toContain(`its ${fills} fills count as ${Math.round(fills / 2)}`)
    expect(calibration.from).toBe(now.from - 56 * DAY_MS)
    expect(calibration.to).toBe(now.to)
  })

  test('at one spread takes k from the earlier fills and the rate from its own', () => {
    const oneSpread = calibrated({ seed: 2, ditherBps: 0 })
    expect(oneSpread.both.priorOnly).toEqual(['k'])
    const { both } = joinPrior(oneSpread, aged(now, 20)).calibration
    expect(both.priorOnly).toEqual([])
    expect(both.quotedRate).toBeUndefined()
    expect(Math.abs(both.k.value / now.both.k.value - 1)).toBeLessThan(0.15)
    const rate = oneSpread.both.quotedRate?.perDay.value ?? NaN
    expect(Math.abs((both.a.value * Math.exp(-60 * both.k.value)) / rate - 1)).toBeLessThan(0.1)
    expect(logWidth(both.k)).toBeLessThan(logWidth(oneSpread.both.k) / 2)
  })

  test('is unchanged where other takers came since, or both differ by more than chance', () => {
    const since = { ...now, since: now.to - DAY_MS }
    expect(joinPrior(since, aged(now, 20))).toMatchObject({ calibration: since, weight: 0 })
    const other = aged(calibrated({ seed: 3, k: 1 / 30, days: 40 }), 40)
    expect(joinPrior(now, other)).toEqual({
      calibration: now,
      weight: 0,
      ignored: 'A and k since then differ from it by more than chance',
    })
  })

  test('is ignored in at most one of twenty draws of the same takers, and holds the true k in nine of ten', () => {
    const draws = Array.from({ length: 20 }, (_, seed) => {
      const [first, second] = [2 * seed, 2 * seed + 1].map((one) => calibrated({ seed: one, days: 10 }))
      return joinPrior(second!, aged(first!, 10))
    })
    expect(draws.filter(({ ignored }) => ignored !== null).length).toBeLessThanOrEqual(1)
    const holds = draws.filter(
      ({ calibration: { both } }) => both.k.low <= GOLDEN_MARKET.k && both.k.high >= GOLDEN_MARKET.k,
    )
    expect(holds.length).toBeGreaterThanOrEqual(15)
  })
})
