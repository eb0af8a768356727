/**
 * Widens another strategy, or turns it off, before publications, at weekends and on holidays.
 *
 * Idea: the mid changes when a rate is published, on working days. Anyone who knows the market just before a publication knows
 * the next mid, and moves since Friday stay unpublished until Monday. Both sides of the wrapped strategy widen by the largest
 * term that applies: `weekendBps` on weekend days, `holidayBps` on a holiday, the same on the next working day until its first
 * publication is over, `publicationBps` around each publication.
 * Parameters:
 *   strategy        the wrapped one
 *     use           a name in strategies/, or a path
 *     params        for that strategy's own schema
 *   timezone        of all days and times, an IANA name
 *   publicationAt   when the rate is published on working days, 'HH:MM'; an empty list = unknown
 *   minutesBefore   how long before a publication the spread widens, 0..720
 *   minutesAfter    how late a publication may be, 0..720
 *   publicationBps  bps added around a publication, 0..490; null = both sides off
 *   weekendDays     0 = Sunday to 6 = Saturday
 *   weekendBps      bps added at weekends, 0..490; null = both sides off
 *   holidays        'MM-DD' each year, 'YYYY-MM-DD' once; by default the fixed ones of Tanzania
 *   holidayBps      bps added on holidays, 0..490; null = both sides off
 * Easter, Eid and Maulid move: list their dates each year in addition to the fixed ones.
 * WHEN IT LOSES: if takers come at weekends and are uninformed: it loses that flow to others. In the included scenarios each bps
 * at weekends costs more than it saves. The defaults are therefore small: widen them by evidence from the market. A list without
 * this year's moving holidays, or a publication at another time, protects the wrong hours.
 */
import { addTerm, defineStrategy, isTimeZone, localTime, switchOff, z, type LocalTime } from '#kit'

const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const FIXED_HOLIDAYS = [
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

const widerBps = z.number().min(0).max(490).nullable()
const minutes = z.int().min(0).max(720)

const params = z.strictObject({
  strategy: z.strictObject({
    use: z.string().min(1),
    params: z.record(z.string(), z.unknown()).default({}),
  }),
  timezone: z
    .string()
    .refine((name) => isTimeZone(name), {
      message: "not a time zone; expected an IANA name like 'Africa/Dar_es_Salaam'",
    })
    .default('Africa/Dar_es_Salaam'),
  publicationAt: z
    .array(
      z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: "not a time; expected a time like '10:00'" }),
    )
    .max(24)
    .default(['10:00']),
  minutesBefore: minutes.default(30),
  minutesAfter: minutes.default(15),
  publicationBps: widerBps.default(10),
  weekendDays: z.array(z.int().min(0).max(6)).max(6).default([6, 0]),
  weekendBps: widerBps.default(5),
  holidays: z
    .array(
      z.string().refine((day) => isDay(day), {
        message: "not a day; expected a day like '12-25', or '2026-03-20' for one year only",
      }),
    )
    .max(400)
    .default(FIXED_HOLIDAYS),
  holidayBps: widerBps.default(5),
})

type Params = z.output<typeof params>

export default defineStrategy<Params, object>({
  name: 'weekend',
  params,
  init: () => ({}),
  inner: ({ strategy }) => ({ wrapped: strategy }),
  quote(context, _state, chosen, inner) {
    const quote = inner['wrapped']!(context)
    const time = localTime(context.now, chosen.timezone)
    const found = closedAt(time, chosen) ?? publicationAt(time, chosen)
    if (found === null) return addTerm(quote, { name: 'calendar', bidBps: 0, askBps: 0 })
    const { bps, why } = found
    if (bps === null) return switchOff(quote, 'calendar', `${why}: off`)
    return addTerm(quote, { name: 'calendar', bidBps: bps, askBps: bps }, [
      `${why}: ${bps} bps wider on both sides`,
    ])
  },
})

type Found = { readonly bps: number | null; readonly why: string }

/** Applies on a closed day and afterwards until the mid reflects it. */
function closedAt(time: LocalTime, chosen: Params): Found | null {
  const today = closing(time, chosen)
  if (today !== null) return today
  const published = minutesOf(chosen.publicationAt)[0]
  if (published === undefined || time.minute >= published + chosen.minutesAfter) return null
  const after = closing(dayBefore(time), chosen)
  return after === null ? null : { bps: after.bps, why: `before the first publication after ${after.why}` }
}

type Day = Pick<LocalTime, 'year' | 'month' | 'day' | 'weekday'>

/** Returns why a day is closed; the wider of two reasons, where off is the widest. */
function closing({ year, month, day, weekday }: Day, chosen: Params): Found | null {
  const date = `${twoDigits(month)}-${twoDigits(day)}`
  const { holidays, holidayBps, weekendBps } = chosen
  const isHoliday = holidays.includes(date) || holidays.includes(`${year}-${date}`)
  const holiday: Found | null = isHoliday ? { bps: holidayBps, why: 'a holiday' } : null
  if (!chosen.weekendDays.includes(weekday)) return holiday
  const weekend: Found = { bps: weekendBps, why: 'the weekend' }
  if (holiday === null || weekendBps === null) return weekend
  return holidayBps === null || holidayBps > weekendBps ? holiday : weekend
}

function publicationAt({ minute }: LocalTime, chosen: Params): Found | null {
  const { minutesBefore, minutesAfter, publicationBps } = chosen
  const isNear = minutesOf(chosen.publicationAt).some(
    (published) => minute >= published - minutesBefore && minute < published + minutesAfter,
  )
  return isNear ? { bps: publicationBps, why: 'around the publication of the rate' } : null
}

function minutesOf(times: readonly string[]): number[] {
  return times.map((time) => 60 * Number(time.slice(0, 2)) + Number(time.slice(3))).toSorted((a, b) => a - b)
}

function dayBefore({ year, month, day, weekday }: Day): Day {
  const before = { year, month, weekday: (weekday + 6) % 7 }
  if (day > 1) return { ...before, day: day - 1 }
  if (month === 1) return { ...before, year: year - 1, month: 12, day: 31 }
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return { ...before, month: month - 1, day: month === 3 && !isLeap ? 28 : (DAYS_OF_MONTH[month - 2] ?? 31) }
}

function isDay(text: string): boolean {
  const [, month = '', day = ''] = /^(?:\d{4}-)?(\d\d)-(\d\d)$/.exec(text) ?? []
  return Number(day) >= 1 && Number(day) <= (DAYS_OF_MONTH[Number(month) - 1] ?? 0)
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}
