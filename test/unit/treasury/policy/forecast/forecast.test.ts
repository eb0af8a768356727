import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../../src/base/time.ts'
import { seededRandom, drawNormal } from '../../../../../src/base/random.ts'
import type { BankCalendar } from '../../../../../src/treasury/model/config.ts'
import { flowProfile, hourOfWeek } from '../../../../../src/treasury/policy/forecast/flow-profile.ts'
import {
  demandOver,
  forecastError,
  forecastHolding,
  levelThrough,
} from '../../../../../src/treasury/policy/forecast/forecast.ts'

const MONDAY = Date.parse('2026-10-05T00:00:00+03:00')
const NO_PEAKS: BankCalendar = {
  holidays: [],
  confirmedUntil: '2027-12-31',
  eft: { opensMinute: 510, cutOffMinute: 780, mostALot: 20_000_000n * 10n ** 18n },
  peaks: [],
}
const PAY_DAY: BankCalendar = { ...NO_PEAKS, peaks: [{ name: 'pay-day', daysOfMonth: [25] }] }

/** Hourly values from a Monday on. */
const series = (hours: number, value: (index: number) => number, start = MONDAY) => ({
  start,
  values: Array.from({ length: hours }, (_, index) => value(index)),
})

describe('the profile of the flow', () => {
  test('hour 0 of the week is Monday at midnight in East Africa Time', () => {
    expect(hourOfWeek(MONDAY)).toBe(0)
    expect(hourOfWeek(MONDAY - HOUR_MS)).toBe(167)
  })

  test('after three weeks it knows the hour of the week, after three days the hour of the day', () => {
    const byWeek = flowProfile(
      series(3 * 168, (hour) => (hour % 168 === 100 ? -700 : -1)),
      NO_PEAKS,
    )
    expect(byWeek.basis).toBe('hour-of-week')
    expect(byWeek.at(MONDAY + 10 * 7 * DAY_MS + 100 * HOUR_MS).mean).toBe(-700)
    const byDay = flowProfile(
      series(72, (hour) => (hour % 24 === 9 ? -50 : 0)),
      NO_PEAKS,
    )
    expect(byDay.basis).toBe('hour-of-day')
    expect(byDay.at(MONDAY + 20 * DAY_MS + 9 * HOUR_MS)).toEqual({ mean: -50, sd: 0 })
    expect(
      flowProfile(
        series(6, () => -4),
        NO_PEAKS,
      ),
    ).toMatchObject({ basis: 'all-hours' })
    expect(
      flowProfile(
        series(5, () => -4),
        NO_PEAKS,
      ).at(MONDAY),
    ).toEqual({ mean: 0, sd: 0 })
  })

  test('a pay-day seen twice is forecast separately from ordinary days', () => {
    const start = Date.parse('2026-09-14T00:00:00+03:00')
    const isPayDay = (index: number) => [11, 41].includes(Math.floor(index / 24))
    const profile = flowProfile(
      series(50 * 24, (index) => (isPayDay(index) ? -100 : -10), start),
      PAY_DAY,
    )
    expect(profile.peaks).toEqual([{ name: 'pay-day', extra: { mean: -2160, sd: 0 }, days: 2 }])
    expect(demandOver(profile, Date.parse('2026-11-25T00:00:00+03:00'), DAY_MS).mean).toBeCloseTo(2400, 6)
    expect(demandOver(profile, Date.parse('2026-11-24T00:00:00+03:00'), DAY_MS).mean).toBeCloseTo(240, 6)
  })
})

describe('the forecast of a holding', () => {
  const now = MONDAY + 21 * DAY_MS + 20 * 60_000
  const steady = series(3 * 168, () => -10)
  const profile = flowProfile(steady, NO_PEAKS)

  test('falls by the mean flow and names the hour in which it is used up', () => {
    const { hours, runsDryAt, mayRunDryAt } = forecastHolding(1_000n, now, steady, NO_PEAKS, profile)
    expect(hours).toHaveLength(168)
    expect(hours[0]?.at).toBe(MONDAY + 21 * DAY_MS + HOUR_MS)
    // 40 minutes of the first hour take 6.67, each further hour 10.
    expect(hours[1]?.p50).toBe(984n)
    expect(runsDryAt).toBe(MONDAY + 21 * DAY_MS + 101 * HOUR_MS)
    expect(mayRunDryAt).toBe(runsDryAt)
  })

  test('has no opinion without a history: nothing runs dry and nothing is wanted', () => {
    const none = flowProfile(
      series(0, () => 0),
      NO_PEAKS,
    )
    const forecast = forecastHolding(
      0n,
      now,
      series(0, () => 0),
      NO_PEAKS,
      none,
    )
    expect(forecast).toMatchObject({ runsDryAt: null, mayRunDryAt: null, basis: 'none', error: null })
    expect(levelThrough(none, now, DAY_MS, 0.95)).toBe(0)
  })

  test('a longer lead time and a higher service level never ask for less', () => {
    const random = seededRandom(7, 'flow')
    const noisy = flowProfile(
      series(4 * 168, () => -10 + 8 * drawNormal(random)),
      NO_PEAKS,
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 96 }),
        fc.double({ min: 0.5, max: 0.98, noNaN: true }),
        (hours, level) => {
          const least = levelThrough(noisy, now, hours * HOUR_MS, level)
          expect(levelThrough(noisy, now, (hours + 1) * HOUR_MS, level)).toBeGreaterThanOrEqual(least)
          expect(levelThrough(noisy, now, hours * HOUR_MS, level + 0.01)).toBeGreaterThanOrEqual(least)
        },
      ),
    )
  })

  test('its 95 % bound holds on about 95 of 100 simulated days, and its mean has no bias', () => {
    let [days, covered, bias] = [0, 0, 0]
    for (let seed = 0; seed < 40; seed++) {
      const random = seededRandom(seed, 'error')
      const error = forecastError(
        series(6 * 168, () => -10 + 30 * drawNormal(random)),
        NO_PEAKS,
      )
      days += error!.days
      covered += error!.covered * error!.days
      bias += Number(error!.bias) / 40
    }
    expect(days).toBe(40 * 7)
    expect(covered / days).toBeGreaterThan(0.91)
    expect(covered / days).toBeLessThan(0.98)
    expect(Math.abs(bias)).toBeLessThan(25)
  })

  test('names the pay-days of the week ahead', () => {
    const at = Date.parse('2026-11-22T10:00:00+03:00')
    const { peaks } = forecastHolding(1_000n, at, steady, PAY_DAY, profile)
    expect(peaks).toEqual([{ name: 'pay-day', at: Date.parse('2026-11-25T00:00:00+03:00'), outflow: 0n }])
  })
})
