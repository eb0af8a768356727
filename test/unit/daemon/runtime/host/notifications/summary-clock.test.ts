import { describe, expect, test } from 'vitest'
import { summaryClock } from '../../../../../../src/daemon/runtime/host/notifications/summary-clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** When a daemon that looks every ten seconds tells its summaries, in UTC. */
function toldBetween(
  at: string,
  timezone: string,
  from: number,
  to: number,
  lookMs = 10_000,
  lastAt: number | null = null,
): string[] {
  const [hour, minute] = at.split(':')
  const clock = summaryClock({ hour: Number(hour), minute: Number(minute) }, timezone)
  const told: number[] = []
  let lookedAt = from
  for (let now = from + lookMs; now <= to; now += lookMs) {
    if (clock(lookedAt, now, told.at(-1) ?? lastAt)) told.push(now)
    lookedAt = now
  }
  return told.map((t) => new Date(t).toISOString().slice(5, 16))
}

const SPRING = Date.UTC(2026, 2, 27)
const AUTUMN = Date.UTC(2026, 9, 23)

describe('a daily summary', () => {
  test('comes at the same time on the clocks of the zone before and after they change', () => {
    expect(toldBetween('08:00', 'Europe/Berlin', SPRING, SPRING + 4 * DAY_MS)).toEqual([
      '03-27T07:00',
      '03-28T07:00',
      '03-29T06:00',
      '03-30T06:00',
    ])
    expect(toldBetween('08:00', 'Europe/Berlin', AUTUMN, AUTUMN + 4 * DAY_MS)).toEqual([
      '10-23T06:00',
      '10-24T06:00',
      '10-25T07:00',
      '10-26T07:00',
    ])
  })

  test('comes once on the day that has its hour twice', () => {
    expect(toldBetween('02:30', 'Europe/Berlin', AUTUMN, AUTUMN + 4 * DAY_MS)).toEqual([
      '10-23T00:30',
      '10-24T00:30',
      '10-25T00:30',
      '10-26T01:30',
    ])
  })

  test('comes a little late on the day that lacks its hour, and at its time again the day after', () => {
    expect(toldBetween('02:30', 'Europe/Berlin', SPRING, SPRING + 4 * DAY_MS)).toEqual([
      '03-27T01:30',
      '03-28T01:30',
      '03-29T02:31',
      '03-30T00:30',
    ])
  })

  test('comes once however late the daemon looks: blocked for an hour, or down at the time', () => {
    const noon = Date.UTC(2026, 5, 1, 12)
    const clock = summaryClock({ hour: 8, minute: 0 }, 'Africa/Dar_es_Salaam')
    const eight = Date.UTC(2026, 5, 1, 5)
    expect(clock(eight - MINUTE_MS, eight + HOUR_MS, null)).toBe(true)
    expect(clock(eight - 9 * HOUR_MS, noon, eight - DAY_MS)).toBe(true)
    expect(clock(eight, eight + 10_000, eight)).toBe(false)
    expect(clock(noon - 20 * DAY_MS, noon, noon - 20 * DAY_MS)).toBe(true)
  })

  test('the summary is sent at its time even if, after days of absence, a late one was sent some hours earlier', () => {
    const [zone, from] = ['Africa/Dar_es_Salaam', Date.UTC(2026, 5, 1)]
    const late = (hour: number) => from + hour * HOUR_MS
    for (const back of [0, 2, 3, 4]) {
      expect(toldBetween('08:00', zone, late(back), from + 3 * DAY_MS, 10_000, late(back))).toEqual(
        // Within the hour before its time the late one stands for both.
        back === 4 ? ['06-02T05:00', '06-03T05:00'] : ['06-01T05:00', '06-02T05:00', '06-03T05:00'],
      )
    }
  })

  test('a clock that is set back makes none', () => {
    const clock = summaryClock({ hour: 8, minute: 0 }, 'UTC')
    const eight = Date.UTC(2026, 5, 1, 8)
    expect(clock(eight + HOUR_MS, eight, null)).toBe(false)
  })
})
