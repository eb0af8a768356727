import { describe, expect, test } from 'vitest'
import {
  dayBefore,
  daySpan,
  zonedDayText,
  nextDay,
} from '../../../../../src/research/close/document/day-span.ts'

const hours = (day: string, zone: string) => {
  const span = daySpan(day, zone)
  return span === null ? null : (span.to - span.from) / 3_600_000
}

describe('the span of a day', () => {
  test('is 24 hours in UTC and begins at the local midnight elsewhere', () => {
    expect(daySpan('2026-11-22', 'UTC')).toEqual({
      from: Date.parse('2026-11-22T00:00:00Z'),
      to: Date.parse('2026-11-23T00:00:00Z'),
    })
    expect(daySpan('2026-11-22', 'Africa/Dar_es_Salaam')?.from).toBe(Date.parse('2026-11-21T21:00:00Z'))
    expect(daySpan('2026-11-22', 'Pacific/Kiritimati')?.from).toBe(Date.parse('2026-11-21T10:00:00Z'))
    expect(daySpan('2026-11-22', 'Asia/Kathmandu')?.from).toBe(Date.parse('2026-11-21T18:15:00Z'))
  })

  test('has 23 or 25 hours where clocks change, and days follow each other without a hole', () => {
    expect(hours('2026-03-29', 'Europe/Berlin')).toBe(23)
    expect(hours('2026-10-25', 'Europe/Berlin')).toBe(25)
    // Clocks change at midnight: the day begins at one o'clock.
    expect(hours('2026-04-24', 'Africa/Cairo')).toBe(23)
    for (const zone of ['Europe/Berlin', 'Africa/Cairo', 'Pacific/Apia', 'UTC'])
      for (let day = '2026-01-01'; day < '2026-12-31'; day = nextDay(day))
        expect([zone, day, daySpan(day, zone)?.to]).toEqual([zone, day, daySpan(nextDay(day), zone)?.from])
  })

  test('is null for what no calendar has, or what a zone left out', () => {
    for (const day of ['2026-02-29', '2026-13-01', '26-01-01', '', '2026-11-22T00', '2026-11-31'])
      expect(daySpan(day, 'UTC')).toBeNull()
    expect(daySpan('2011-12-30', 'Pacific/Apia')).toBeNull()
  })

  test('names the day of a moment and its neighbours', () => {
    expect(zonedDayText(Date.parse('2026-11-22T22:00:00Z'), 'Africa/Dar_es_Salaam')).toBe('2026-11-23')
    expect([nextDay('2028-02-28'), nextDay('2026-12-31')]).toEqual(['2028-02-29', '2027-01-01'])
    expect(dayBefore('2026-03-01')).toBe('2026-02-28')
  })
})
