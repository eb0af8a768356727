import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { DAY_MS } from '../../../../../src/base/time.ts'
import {
  calendarWarning,
  isBusinessDay,
  nextTransferWindow,
  peaksOn,
} from '../../../../../src/treasury/policy/calendar/bank-hours.ts'
import {
  civilOf,
  dayFromMonthEnd,
  dayNumberOf,
  civilDayOf,
  civilDayText,
  parseDay,
  weekdayOf,
} from '../../../../../src/treasury/policy/calendar/civil-day.ts'
import { readCalendar } from '../../../../../src/treasury/policy/calendar/read-calendar.ts'

const shipped = () => parse(readFileSync('config/calendar/tz.yaml', 'utf8')) as Record<string, unknown>
const calendar = () => {
  const read = readCalendar(shipped())
  if (!read.ok) throw new Error(read.error.join('\n'))
  return read.value
}
const at = (text: string) => Date.parse(`${text}+03:00`)

describe('days in East Africa Time', () => {
  test('day numbers and civil days agree with the calendar of the platform over four centuries', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 60_000 }), (day) => {
        const date = new Date(day * DAY_MS)
        expect(civilDayText(day)).toBe(date.toISOString().slice(0, 10))
        expect(dayNumberOf(civilOf(day))).toBe(day)
        expect(parseDay(civilDayText(day))).toBe(day)
        expect(weekdayOf(day)).toBe((date.getUTCDay() + 6) % 7)
      }),
    )
  })

  test('a day begins at 21:00 UTC of the day before', () => {
    expect(civilDayText(civilDayOf(Date.parse('2026-01-11T20:59:59Z')))).toBe('2026-01-11')
    expect(civilDayText(civilDayOf(Date.parse('2026-01-11T21:00:00Z')))).toBe('2026-01-12')
  })

  test('days are counted from the end of their month, leap years included', () => {
    expect(dayFromMonthEnd(parseDay('2028-02-29')!)).toBe(-1)
    expect(dayFromMonthEnd(parseDay('2026-12-30')!)).toBe(-2)
  })

  test('a text that is no day is refused', () => {
    expect(['2026-02-29', '2026-13-01', '26-01-01', '2026-1-1', ''].map(parseDay)).toEqual(
      Array.from({ length: 5 }, () => null),
    )
  })
})

describe('the shipped calendar', () => {
  test('12 January is Zanzibar Revolution Day and a day without banks, 2 January is not', () => {
    expect(isBusinessDay(calendar(), parseDay('2026-01-12')!)).toBe(false)
    expect(isBusinessDay(calendar(), parseDay('2027-01-12')!)).toBe(false)
    expect(isBusinessDay(calendar(), parseDay('2026-01-02')!)).toBe(true)
  })

  test('it has the fixed days and Easter of both years', () => {
    const days = [
      '01-01',
      '01-12',
      '04-07',
      '04-26',
      '05-01',
      '07-07',
      '08-08',
      '10-14',
      '12-09',
      '12-25',
      '12-26',
    ]
    const expected = ['2026', '2027'].flatMap((year) => days.map((day) => `${year}-${day}`))
    const easter = ['2026-04-03', '2026-04-06', '2027-03-26', '2027-03-29']
    expect(calendar().holidays).toEqual(expect.arrayContaining([...expected, ...easter]))
  })

  test('a transfer is sent at once before the cut-off of 13:00 and on the next business day from then on', () => {
    const friday = at('2026-11-20T12:59:00')
    expect(nextTransferWindow(calendar(), friday)).toBe(friday)
    expect(nextTransferWindow(calendar(), at('2026-11-20T13:00:00'))).toBe(at('2026-11-23T08:30:00'))
    expect(nextTransferWindow(calendar(), at('2026-11-20T06:00:00'))).toBe(at('2026-11-20T08:30:00'))
  })

  test('over Christmas 2026 and the weekend behind it the next transfer is on Monday', () => {
    expect(nextTransferWindow(calendar(), at('2026-12-24T13:30:00'))).toBe(at('2026-12-28T08:30:00'))
  })

  test('it names pay-days by the day of the month and from its end', () => {
    expect(peaksOn(calendar(), parseDay('2026-11-25')!)).toEqual(['pay-day of the public service'])
    expect(peaksOn(calendar(), parseDay('2027-02-28')!)).toEqual(['pay-day at the end of the month'])
    expect(peaksOn(calendar(), parseDay('2026-11-10')!)).toEqual([])
  })

  test('a lot of an EFT is at most 20 million shillings', () => {
    expect(calendar().eft).toEqual({
      opensMinute: 510,
      cutOffMinute: 780,
      mostALot: 20_000_000n * 10n ** 18n,
    })
  })

  test('an alarm comes 30 days before its end and stays after it', () => {
    expect(calendarWarning(calendar(), at('2026-12-01T12:00:00'))).toBe(null)
    expect(calendarWarning(calendar(), at('2026-12-02T12:00:00'))?.message).toContain('29 days from now')
    expect(calendarWarning(calendar(), at('2027-01-05T12:00:00'))?.message).toContain('ended on 2026-12-31')
    const subjects = ['2026-12-02', '2026-12-20', '2026-12-26', '2027-01-05'].map(
      (day) => calendarWarning(calendar(), at(`${day}T12:00:00`))?.subject,
    )
    expect(subjects).toEqual(['last month', 'last month', 'last week', 'ended'])
  })
})

describe('a calendar of the operator', () => {
  test.each([
    [{ confirmedUntil: '2026-02-30' }, 'confirmedUntil: a day that does not exist'],
    [{ confirmedUntil: 2026 }, 'confirmedUntil: not a day'],
    [{ holidays: ['12.01.2026'] }, 'holidays[0]: not a day'],
    [{ holidays: 'none' }, 'holidays: not a list'],
    [{ eft: '13:00' }, 'eft: not a mapping'],
    [{ eft: { opens: '08:30', cutOff: '25:00', mostALotTzs: 20 } }, 'eft.cutOff: not a time'],
    [
      { eft: { opens: '14:00', cutOff: '13:00', mostALotTzs: 20_000_000 } },
      'eft.cutOff: not after eft.opens',
    ],
    [{ eft: { opens: '08:30', cutOff: '13:00', mostALotTzs: 1.5 } }, 'eft.mostALotTzs: not whole shillings'],
    [{ peaks: [{ name: 'x', daysOfMonth: [0] }] }, 'peaks[0].daysOfMonth: days are'],
    [{ peaks: [{ daysOfMonth: [1] }] }, 'peaks[0]: missing name'],
    [{ timezone: 'UTC' }, 'timezone: days are counted in East Africa Time'],
  ])('that holds %j is refused with a sentence that names the place', (change, words) => {
    const read = readCalendar({ ...shipped(), ...change })
    expect(read.ok ? '' : read.error.join('\n')).toContain(words)
  })

  test('may leave the hours of transfers out: those of published tariffs hold', () => {
    const read = readCalendar({ confirmedUntil: '2027-12-31', holidays: [] })
    expect(read.ok && read.value.eft).toEqual(calendar().eft)
    expect(read.ok && read.value.peaks).toEqual([])
  })

  test('whatever a file holds is read or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (holidays, eft, peaks) => {
        expect(typeof readCalendar({ ...shipped(), holidays, eft, peaks }).ok).toBe('boolean')
        expect(readCalendar(holidays).ok).toBe(false)
      }),
    )
  })
})
