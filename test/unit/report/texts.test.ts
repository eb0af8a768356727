import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { figureText } from '../../../src/report/figure-text.ts'
import { dayText, minuteText } from '../../../src/report/minute-text.ts'
import { pageModule } from './page-module.ts'

const { numberText, tickTexts } = await pageModule<{
  readonly numberText: (value: number | null | undefined, digits: number) => string
  readonly tickTexts: (ticks: readonly number[], step: number) => readonly string[]
}>('number-text.js')
const { timeText, timeTicks } = await pageModule<{
  readonly timeText: (t: number, shownMs: number) => string
  readonly timeTicks: (ticks: readonly number[], step: number) => readonly string[]
}>('time-text.js')

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

  test('is written alike by the report and by its page', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
        fc.nat(4),
        (value, digits) => {
          expect(numberText(value, digits)).toBe(figureText(value, digits))
        },
      ),
    )
    expect([null, undefined, NaN, Infinity].map((hole) => numberText(hole, 2))).toEqual(['–', '–', '–', '–'])
  })
})

describe('the labels of a figure axis', () => {
  test.each([
    [[0, 2_000_000, 4_000_000], 2_000_000, ['0', '2M', '4M']],
    [[100_000, 100_500, 101_000], 500, ['100.0k', '100.5k', '101.0k']],
    [[1_000_000, 1_000_001], 1, ['1,000,000', '1,000,001']],
    [[2_560, 2_562.5], 2.5, ['2,560.0', '2,562.5']],
    [[-0.05, 0, 0.05], 0.05, ['-0.05', '0', '0.05']],
  ])('of %j are as short as tells them apart', (ticks, step, labels) => {
    expect(tickTexts(ticks, step)).toEqual(labels)
  })

  test('of different ticks differ', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000, max: 1_000 }),
        fc.constantFrom(1e-4, 1e-3, 0.025, 0.5, 1, 2.5, 20, 500, 25_000, 1e6),
        (from, step) => {
          const ticks = [0, 1, 2, 3].map((i) => (from + i) * step)
          expect(new Set(tickTexts(ticks, step)).size).toBe(4)
        },
      ),
    )
  })
})

describe('a time', () => {
  test('is written in UTC, with seconds where little time is shown', () => {
    const t = Date.UTC(2026, 8, 7, 6, 5, 4)
    expect(timeText(t, DAY)).toBe('7 Sep 2026, 06:05 UTC')
    expect(timeText(t, 600_000)).toBe('7 Sep 2026, 06:05:04 UTC')
    expect(minuteText(t).replaceAll('\u00a0', ' ')).toBe('7 Sep 2026, 06:05 UTC')
    expect(dayText(t).replaceAll('\u00a0', ' ')).toBe('7 Sep 2026')
  })

  test('that no calendar has is unknown', () => {
    expect([minuteText(NaN), dayText(9e15)]).toEqual(['unknown', 'unknown'])
  })

  test('on an axis names the day and the year once, where they begin', () => {
    const start = Date.UTC(2026, 11, 31, 12)
    const hours = [0, 6, 12, 18].map((hour) => start + hour * HOUR)
    expect(timeTicks(hours, 6 * HOUR)).toEqual(['12:00\n31 Dec 2026', '18:00', '00:00\n1 Jan 2027', '06:00'])
    const days = [0, 1, 2].map((day) => Date.UTC(2026, 11, 30 + day))
    expect(timeTicks(days, DAY)).toEqual(['30 Dec\n2026', '31 Dec', '1 Jan\n2027'])
    const months = [10, 11, 12].map((month) => Date.UTC(2026, month))
    expect(timeTicks(months, 30 * DAY)).toEqual(['Nov\n2026', 'Dec', 'Jan\n2027'])
    const years = [2026, 2027].map((year) => Date.UTC(year, 0))
    expect(timeTicks(years, 365 * DAY)).toEqual(['2026', '2027'])
    expect(timeTicks([start, start + 10_000], 10_000)[1]).toBe('12:00:10')
  })
})
