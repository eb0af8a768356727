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

const rateAt = (bps: number, { both }: Calibration) => both.a.value * Math.exp(-bps * both.k.value)

describe('a calibration joined with an earlier one', () => {
  test('that is equal and as recent has the same values and half of the variance of k', () => {
    const calibration = joinPrior(now, now)
    expect(calibration.both.k.value / now.both.k.value).toBeCloseTo(1, 6)
    expect(logWidth(calibration.both.k)).toBeCloseTo(logWidth(now.both.k) / Math.SQRT2, 6)
    expect(calibration.both.a.value / now.both.a.value).toBeCloseTo(1, 6)
    expect(logWidth(calibration.both.a)).toBeLessThan(logWidth(now.both.a))
    expect(calibration).toMatchObject({ sigma: now.sigma, fills: now.fills })
  })

  test('counts half of its fills after eight weeks, and names them', () => {
    const calibration = joinPrior(now, aged(now, 56))
    const { fills } = now.both
    expect(logWidth(calibration.both.k)).toBeCloseTo(logWidth(now.both.k) / Math.sqrt(1.5), 6)
    expect(calibration.warnings[0]).toContain(`its ${fills} fills count as ${Math.round(fills / 2)}`)
    expect(calibration.from).toBe(now.from - 56 * DAY_MS)
    expect(calibration.to).toBe(now.to)
  })

  test('keeps the rate of takers at the spread of its own fills', () => {
    const other = calibrated({ seed: 2, a: 90, days: 40 })
    const calibration = joinPrior(now, aged(other, 40))
    expect(calibration.both.k.value).not.toBeCloseTo(now.both.k.value, 4)
    expect(Math.abs(rateAt(50, calibration) / rateAt(50, now) - 1)).toBeLessThan(0.03)
  })

  test('at one spread takes k from the earlier fills and the rate from its own', () => {
    const oneSpread = calibrated({ seed: 2, ditherBps: 0 })
    expect(oneSpread.both.priorOnly).toEqual(['k'])
    const calibration = joinPrior(oneSpread, aged(now, 20))
    expect(calibration.both.priorOnly).toEqual([])
    expect(calibration.both.quotedRate).toBeUndefined()
    expect(Math.abs(calibration.both.k.value / now.both.k.value - 1)).toBeLessThan(0.15)
    expect(rateAt(60, calibration)).toBeCloseTo(oneSpread.both.quotedRate?.perDay.value ?? NaN, 6)
    expect(logWidth(calibration.both.k)).toBeLessThan(logWidth(oneSpread.both.k) / 2)
  })

  test('is unchanged where other takers came since, k differs by more than chance, or the earlier one has no k', () => {
    const ignored = 'k does not contain the earlier calibration:'
    const since = { ...now, since: now.to - DAY_MS }
    const expected = (why: string) => ({ ...now, warnings: [`${ignored} ${why}`, ...now.warnings] })
    expect(joinPrior(since, aged(now, 20)).both).toBe(since.both)
    const other = aged(calibrated({ seed: 3, k: 1 / 30, days: 40 }), 40)
    expect(joinPrior(now, other)).toEqual(expected('k since then differs from it by more than chance'))
    const oneSpread = aged(calibrated({ seed: 2, ditherBps: 0 }), 20)
    expect(joinPrior(now, oneSpread)).toEqual(expected('its fills did not determine k'))
  })

  test('is ignored in at most one of twenty draws of the same takers, and holds the true k in nine of ten', () => {
    const draws = Array.from({ length: 20 }, (_, seed) => {
      const [first, second] = [2 * seed, 2 * seed + 1].map((one) => calibrated({ seed: one, days: 10 }))
      return joinPrior(second!, aged(first!, 10))
    })
    expect(
      draws.filter(({ warnings }) => warnings[0]?.includes('does not contain')).length,
    ).toBeLessThanOrEqual(1)
    const holds = draws.filter(({ both }) => both.k.low <= GOLDEN_MARKET.k && both.k.high >= GOLDEN_MARKET.k)
    expect(holds.length).toBeGreaterThanOrEqual(15)
  })
})
