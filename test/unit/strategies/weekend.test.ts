import { describe, expect, it } from 'vitest'
import weekend from '../../../strategies/weekend.ts'
import { contextAt, expectTermsToSum, refusals } from './support.ts'

const WRAPPED = { use: 'fixed-spread', params: {} }

/** What is added to a quote of 40 at this time of Dar es Salaam, three hours ahead of UTC; null = off. */
function addedAt(local: string, given: object = {}): number | null {
  const plain = { weekendBps: 20, holidayBps: 20, publicationBps: 15 }
  const params = weekend.params.parse({ strategy: WRAPPED, ...plain, ...given })
  const now = Date.parse(`${local}:00+03:00`)
  const context = contextAt(0, { now })
  const inner = { wrapped: () => ({ bidBps: 40, askBps: 40, reasons: ['wrapped'] }) }
  const quote = weekend.quote(context, weekend.init(params), params, inner)
  expectTermsToSum(quote)
  expect(quote.bidBps).toBe(quote.askBps)
  return quote.bidBps === null ? null : quote.bidBps - 40
}

describe('weekend', () => {
  it.each([
    // 13 July 2026 is a Monday.
    ['Wednesday noon', '2026-07-15T12:00', 0],
    ['Friday night', '2026-07-17T23:59', 0],
    ['the first minute of Saturday', '2026-07-18T00:00', 20],
    ['Sunday', '2026-07-19T12:00', 20],
    ['Monday before the publication is through', '2026-07-20T10:14', 20],
    ['Monday after it', '2026-07-20T10:15', 0],
    ['Tuesday morning', '2026-07-21T08:00', 0],
  ])('%s: wider where the mid stands', (_, local, bps) => {
    expect(addedAt(local)).toBe(bps)
  })

  it('is wider around the publication of a working day, from before it until it may be late no more', () => {
    const at = (time: string) => addedAt(`2026-07-15T${time}`)
    expect(['09:29', '09:30', '10:14', '10:15'].map(at)).toEqual([0, 15, 15, 0])
  })

  it('knows the fixed holidays of Tanzania, and the morning after one', () => {
    expect(addedAt('2026-10-14T12:00', { holidayBps: 33 })).toBe(33)
    expect(addedAt('2026-10-15T09:00', { holidayBps: 33 })).toBe(33)
    expect(addedAt('2026-10-15T12:00', { holidayBps: 33 })).toBe(0)
    expect(addedAt('2026-12-31T12:00')).toBe(0)
    expect(addedAt('2027-01-01T12:00', { weekendBps: 1 })).toBe(20)
  })

  it('takes a day with a year for one year only', () => {
    const given = { holidays: ['2026-03-20', '12-31'], holidayBps: 50 }
    expect(addedAt('2026-03-20T12:00', given)).toBe(50)
    expect(addedAt('2025-03-20T12:00', given)).toBe(0)
    expect(addedAt('2027-03-20T12:00', { ...given, weekendBps: 0 })).toBe(0)
    // The morning after the last day of a year, and after a 29 February.
    expect(addedAt('2026-01-01T09:00', given)).toBe(50)
    expect(addedAt('2028-03-01T09:00', { holidays: ['02-29'], holidayBps: 50 })).toBe(50)
    expect(addedAt('2027-03-02T09:00', { holidays: ['03-01', '02-29'], holidayBps: 50 })).toBe(50)
  })

  it('lets the larger of two reasons bind, and off is the largest', () => {
    const onSaturday = '2026-12-26T12:00'
    expect(addedAt(onSaturday, { weekendBps: 20, holidayBps: 60 })).toBe(60)
    expect(addedAt(onSaturday, { weekendBps: 60, holidayBps: 20 })).toBe(60)
    expect(addedAt(onSaturday, { weekendBps: null, holidayBps: 60 })).toBeNull()
  })

  it('turns both sides off where null says so, and shows what the quote would be', () => {
    const params = weekend.params.parse({ strategy: WRAPPED, weekendBps: null })
    const now = Date.parse('2026-07-18T12:00:00+03:00')
    const context = contextAt(0, { now })
    const wrapped = { bidBps: 40, askBps: 50, reasons: ['wrapped'], orders: [] }
    expect(weekend.quote(context, {}, params, { wrapped: () => wrapped })).toEqual({
      bidBps: null,
      askBps: null,
      orders: [],
      reasons: ['the weekend: off', 'wrapped'],
      terms: [
        { name: 'wrapped quote', bidBps: 40, askBps: 50 },
        { name: 'calendar', bidBps: 0, askBps: 0 },
      ],
    })
  })

  it('covers a publication near midnight within its day', () => {
    const given = { publicationAt: ['00:10', '23:50'], minutesBefore: 30, minutesAfter: 30 }
    const at = (time: string) => addedAt(`2026-07-15T${time}`, given)
    expect(['00:00', '00:39', '00:40', '23:19', '23:20', '23:59'].map(at)).toEqual([15, 15, 0, 0, 15, 15])
  })

  it('refuses invalid days, times and zones, in words', () => {
    const refused = (given: object) => refusals(weekend.params, { strategy: WRAPPED, ...given })
    expect(refused({ holidays: ['02-30'] })).toEqual([
      "holidays.0: not a day; expected a day like '12-25', or '2026-03-20' for one year only",
    ])
    for (const holidays of [['13-01'], ['1-1'], ['26-01-01'], ['00-10']])
      expect(refused({ holidays })).toHaveLength(1)
    expect(refused({ publicationAt: ['24:00'] })).toEqual([
      "publicationAt.0: not a time; expected a time like '10:00'",
    ])
    expect(refused({ timezone: 'Africa/Dodoma' })).toHaveLength(1)
    expect(refused({ weekendDays: [7] })).toHaveLength(1)
    expect(refused({ weekendBps: 491 })).toHaveLength(1)
  })
})
