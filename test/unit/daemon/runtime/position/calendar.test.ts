import { getTasks } from 'node-cron'
import { describe, expect, test } from 'vitest'
import { createCalendar } from '../../../../../src/daemon/runtime/position/calendar.ts'

describe('the calendar', () => {
  const matches = createCalendar()
  const at = (text: string) => Date.parse(text)

  test('a window is open in every minute that its expression matches, and in no other', () => {
    const nights = '* 18-23,0-7 * * *'
    expect(matches(nights, 'UTC', at('2026-11-18T18:00:00Z'))).toBe(true)
    expect(matches(nights, 'UTC', at('2026-11-18T23:59:59.999Z'))).toBe(true)
    expect(matches(nights, 'UTC', at('2026-11-18T08:00:00Z'))).toBe(false)
    expect(matches(nights, 'UTC', at('2026-11-18T17:59:59Z'))).toBe(false)
  })

  test('the same moment is night in Dar es Salaam and day in London', () => {
    const evening = at('2026-11-18T16:30:00Z')
    expect(matches('* 19 * * *', 'Africa/Dar_es_Salaam', evening)).toBe(true)
    expect(matches('* 19 * * *', 'Europe/London', evening)).toBe(false)
  })

  test('weekends are days of the week in the zone, not in UTC', () => {
    const saturdayThere = at('2026-11-20T22:00:00Z')
    expect(matches('* * * * 6', 'Africa/Dar_es_Salaam', saturdayThere)).toBe(true)
    expect(matches('* * * * 6', 'UTC', saturdayThere)).toBe(false)
  })

  test('expressions that a strategy makes up are not listed by the library, and each is answered', () => {
    for (let nth = 0; nth < 1_440; nth += 1) {
      const [minute, hour] = [nth % 60, Math.floor(nth / 60)]
      expect(matches(`${minute} ${hour} * * *`, 'UTC', nth * 60_000)).toBe(true)
    }
    expect(matches('0 0 * * *', 'UTC', 0)).toBe(true)
    expect(matches('0 0 * * *', 'UTC', 60_000)).toBe(false)
    expect(getTasks().size).toBe(0)
  })

  test('an invalid expression throws where the strategy asked', () => {
    expect(() => matches('every day', 'UTC', 0)).toThrow()
  })
})
