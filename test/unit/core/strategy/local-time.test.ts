import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createCalendar } from '../../../../src/daemon/runtime/position/calendar.ts'
import { isTimeZone, localTime } from '../../../../src/core/strategy/local-time.ts'

const ZONES = ['Africa/Dar_es_Salaam', 'UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']

describe('the local time of a moment', () => {
  it('is that of one zone in each of its spellings, of which the last ones are remembered', () => {
    const made = vi.spyOn(Intl, 'DateTimeFormat')
    try {
      const spelled = (nth: number) =>
        Array.from('europe', (letter, at) => ((nth >> at) & 1 ? letter.toUpperCase() : letter)).join('')
      for (let nth = 0; nth < 33; nth += 1)
        expect(localTime(0, `${spelled(nth)}/lisbon`)).toMatchObject({ minute: 60 })
      localTime(0, 'europe/lisbon')
      expect(made).toHaveBeenCalledTimes(34)
    } finally {
      made.mockRestore()
    }
  })

  it('is that of the wall clock there, on both sides of midnight and of a change of the clocks', () => {
    const at = (text: string, zone: string) => localTime(Date.parse(text), zone)
    expect(at('2026-07-17T20:59:59Z', 'Africa/Dar_es_Salaam')).toEqual({
      year: 2026,
      month: 7,
      day: 17,
      weekday: 5,
      minute: 23 * 60 + 59,
    })
    expect(at('2026-07-17T21:00:00Z', 'Africa/Dar_es_Salaam')).toMatchObject({
      day: 18,
      weekday: 6,
      minute: 0,
    })
    expect(at('2026-03-08T06:59:00Z', 'America/New_York')).toMatchObject({ minute: 60 + 59 })
    expect(at('2026-03-08T07:00:00Z', 'America/New_York')).toMatchObject({ minute: 3 * 60 })
  })

  it('agrees with what inWindow says of the same minute, in any zone', () => {
    const inWindow = createCalendar()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), fc.constantFrom(...ZONES), (seconds, zone) => {
        const { month, day, weekday, minute } = localTime(seconds * 1_000, zone)
        const clock = `${minute % 60} ${Math.floor(minute / 60)}`
        expect(inWindow(`${clock} ${day} ${month} *`, zone, seconds * 1_000)).toBe(true)
        expect(inWindow(`${clock} * * ${weekday}`, zone, seconds * 1_000)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('is refused for what is no time zone or no moment', () => {
    expect([isTimeZone('Africa/Dar_es_Salaam'), isTimeZone('Africa/Dodoma')]).toEqual([true, false])
    expect(() => localTime(0, 'Africa/Dodoma')).toThrow(RangeError)
    expect(() => localTime(Number.NaN, 'UTC')).toThrow(RangeError)
  })
})
