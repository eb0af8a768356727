import { DAY_MS, HOUR_MS, MINUTE_MS, type Ms } from '../../../base/time.ts'

/** East Africa Time is three hours ahead of UTC and has no summer time. */
const EAT_MS = 3 * HOUR_MS

/** A day of the civil calendar, counted from 1 January 1970. */
export type DayNumber = number

type CivilDay = { readonly year: number; readonly month: number; readonly day: number }

/** Returns the day in East Africa Time. */
export function civilDayOf(t: Ms): DayNumber {
  return Math.floor((t + EAT_MS) / DAY_MS)
}

/** Returns the minutes since midnight in East Africa Time. */
export function minuteOf(t: Ms): number {
  return Math.floor((t + EAT_MS - civilDayOf(t) * DAY_MS) / MINUTE_MS)
}

/** Returns the time of a minute of a day in East Africa Time. */
export function civilMomentOf(day: DayNumber, minute: number): Ms {
  return day * DAY_MS - EAT_MS + minute * MINUTE_MS
}

/** 0 = Monday, 6 = Sunday. */
export function weekdayOf(day: DayNumber): number {
  return (((day + 3) % 7) + 7) % 7
}

/** Returns year, month and day of a day number. Source: Hinnant, chrono-compatible low-level date algorithms. */
export function civilOf(day: DayNumber): CivilDay {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  }
}

/** Returns the day number of a civil day, which may lie outside its month. */
export function dayNumberOf({ year, month, day }: CivilDay): DayNumber {
  const shiftedYear = month <= 2 ? year - 1 : year
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = shiftedYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** Returns YYYY-MM-DD. */
export function civilDayText(day: DayNumber): string {
  const { year, month, day: ofMonth } = civilOf(day)
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(ofMonth)}`
}

/** Returns the day number of YYYY-MM-DD; null = another format or an invalid day. */
export function parseDay(text: string): DayNumber | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return null
  const number = dayNumberOf({ year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) })
  return civilDayText(number) === text ? number : null
}

/** Returns the position of the day from the end of its month; -1 is the last day. */
export function dayFromMonthEnd(day: DayNumber): number {
  const { year, month } = civilOf(day)
  const next = dayNumberOf(
    month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 },
  )
  return day - next
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
