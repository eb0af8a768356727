import { describe, expect, test } from 'vitest'
import { figureText } from '../../../../src/research/report/figures/figure.ts'
import { dateText, minuteText, momentText, timeTicks } from '../../../../src/base/text/times.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('a figure in words', () => {
  test('has so many decimals, and commas between thousands', () => {
    expect(figureText(-1_234_567.891, 2)).toBe('-1,234,567.89')
    expect(figureText(0.05, 0)).toBe('0')
  })

  test('that is not finite is unknown, and one that rounds to zero has no sign', () => {
    expect([NaN, Infinity, -Infinity].map((value) => figureText(value, 2))).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ])
    expect([-0, -0.001].map((value) => figureText(value, 2))).toEqual(['0.00', '0.00'])
  })
})

describe('a time', () => {
  test('is written in UTC, with seconds where little time is shown', () => {
    const t = Date.UTC(2026, 8, 7, 6, 5, 4)
    expect(momentText(t, DAY)).toBe('7 Sep 2026, 06:05 UTC')
    expect(momentText(t, 600_000)).toBe('7 Sep 2026, 06:05:04 UTC')
    expect(minuteText(t)).toBe('7 Sep 2026, 06:05 UTC')
    expect(momentText(t, Infinity)).toBe('7 Sep 2026')
  })

  test('that no calendar has is unknown', () => {
    expect([minuteText(NaN), dateText(9e15)]).toEqual(['unknown', 'unknown'])
  })

  test('on an axis names the day, and the year of days and months, once, where they begin', () => {
    const start = Date.UTC(2026, 11, 31, 12)
    const hours = [0, 6, 12, 18].map((hour) => start + hour * HOUR)
    expect(timeTicks(hours, 6 * HOUR)).toEqual(['12:00\n31 Dec', '18:00', '00:00\n1 Jan', '06:00'])
    const days = [0, 1, 2].map((day) => Date.UTC(2026, 11, 30 + day))
    expect(timeTicks(days, DAY)).toEqual(['30 Dec\n2026', '31 Dec', '1 Jan\n2027'])
    const months = [10, 11, 12].map((month) => Date.UTC(2026, month))
    expect(timeTicks(months, 30 * DAY)).toEqual(['Nov\n2026', 'Dec', 'Jan\n2027'])
    const years = [2026, 2027].map((year) => Date.UTC(year, 0))
    expect(timeTicks(years, 365 * DAY)).toEqual(['2026', '2027'])
    expect(timeTicks([start, start + 10_000], 10_000)[1]).toBe('12:00:10')
  })
})
