import { expect, test } from 'vitest'
import {
  ageText,
  clockText,
  dateText,
  isoText,
  minuteText,
  timeText,
  timeTicks,
} from '../../../../src/base/text/times.ts'

test('ageText gives the two largest units of a duration, and an unknown one is not 0', () => {
  expect([0, 59_999, 61_000, 3_720_000, 190_000_000].map(ageText)).toEqual([
    '0s',
    '59s',
    '1m 1s',
    '1h 2m',
    '2d 4h',
  ])
  expect(ageText(null)).toBe('unknown')
})

test('timeText is UTC to the second, and a number that is no moment is shown as it is', () => {
  expect(timeText(Date.UTC(2026, 0, 5, 7, 8, 9, 999))).toBe('2026-01-05 07:08:09 UTC')
  expect(timeText(9e15)).toBe('9000000000000000')
})

test('a moment without a date is null in JSON', () => {
  expect([isoText(0), isoText(null)]).toEqual(['1970-01-01T00:00:00.000Z', null])
})

test('a report names the date and the minute, and a moment that no calendar has is unknown', () => {
  const t = Date.UTC(2026, 10, 2, 7, 0, 59)
  expect([dateText(t), minuteText(t), dateText(9e15), minuteText(Number.NaN)]).toEqual([
    '2 Nov 2026',
    '2 Nov 2026, 07:00 UTC',
    'unknown',
    'unknown',
  ])
})

test('a moment of another day names that day', () => {
  const now = Date.UTC(2026, 10, 21, 0, 0, 1)
  expect([clockText(now, now), clockText(now - 2_000, now)]).toEqual(['00:00:01', '20 Nov 23:59:59'])
})

test('the ticks of a time axis name the day, the month or the year once, where it begins', () => {
  const hour = 3_600_000
  const t = Date.UTC(2026, 11, 31, 22)
  expect(timeTicks([t, t + hour, t + 2 * hour], hour)).toEqual(['22:00\n31 Dec', '23:00', '00:00\n1 Jan'])
  expect(timeTicks([t, t + 24 * hour], 24 * hour)).toEqual(['31 Dec\n2026', '1 Jan\n2027'])
  expect(timeTicks([t, t + 720 * hour], 720 * hour)).toEqual(['Dec\n2026', 'Jan\n2027'])
  expect(timeTicks([t, t + 9_000 * hour], 8_760 * hour)).toEqual(['2026', '2028'])
  expect(timeTicks([t], 1_000)).toEqual(['22:00:00\n31 Dec'])
})
