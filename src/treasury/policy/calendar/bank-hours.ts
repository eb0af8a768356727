import type { Ms } from '../../../base/time.ts'
import type { BankCalendar } from '../../model/config.ts'
import type { PlanWarning } from '../../model/plan-types.ts'
import {
  civilOf,
  dayFromMonthEnd,
  civilDayOf,
  civilDayText,
  minuteOf,
  civilMomentOf,
  parseDay,
  weekdayOf,
  type DayNumber,
} from './civil-day.ts'

/** Number of days before its end at which the calendar warns. */
const CALENDAR_NOTICE_DAYS = 30
const LAST_NOTICE_DAYS = 7
const SATURDAY = 5

/** Returns whether banks work on that day in East Africa Time. */
export function isBusinessDay({ holidays }: BankCalendar, day: DayNumber): boolean {
  return weekdayOf(day) < SATURDAY && !holidays.includes(civilDayText(day))
}

/** Returns the first time from `t` on at which a bank transfer arrives on the day it is sent. */
export function nextTransferWindow(calendar: BankCalendar, t: Ms): Ms {
  const { opensMinute, cutOffMinute } = calendar.eft
  const today = civilDayOf(t)
  if (isBusinessDay(calendar, today) && minuteOf(t) < cutOffMinute) {
    return Math.max(t, civilMomentOf(today, opensMinute))
  }
  let day = today + 1
  // Ends because the list of holidays is finite.
  while (!isBusinessDay(calendar, day)) day += 1
  return civilMomentOf(day, opensMinute)
}

/** Returns the names of the peaks on a day. */
export function peaksOn(calendar: BankCalendar, day: DayNumber): readonly string[] {
  return calendar.peaks.flatMap(({ name, daysOfMonth }) => {
    const isPeak = daysOfMonth.includes(civilOf(day).day) || daysOfMonth.includes(dayFromMonthEnd(day))
    return isPeak ? [name] : []
  })
}

/**
 * Returns the warning about the calendar's end; null = it is confirmed for longer than the notice. The subject changes
 * 30 days and a week before the end, and at the end, so that each is reported.
 */
export function calendarWarning({ confirmedUntil }: BankCalendar, now: Ms): PlanWarning | null {
  const end = parseDay(confirmedUntil)
  const left = end === null ? -1 : end - civilDayOf(now)
  if (left >= CALENDAR_NOTICE_DAYS) return null
  const state =
    left < 0 ? `ended on ${confirmedUntil}` : `is confirmed until ${confirmedUntil}, ${left} days from now`
  return {
    code: 'treasury-calendar-ends',
    subject: left < 0 ? 'ended' : left < LAST_NOTICE_DAYS ? 'last week' : 'last month',
    message: `The bank calendar ${state}. Compare the holidays after that with the published list and set confirmedUntil.`,
  }
}
