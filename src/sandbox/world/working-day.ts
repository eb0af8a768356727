import { weekdayOf } from './day-of.ts'

/** Monday to Friday; the pretend world has no holidays. */
export function isWorkingDay(day: number): boolean {
  const weekday = weekdayOf(day)
  return weekday >= 1 && weekday <= 5
}

export function workingDayBefore(day: number): number {
  let before = day - 1
  while (!isWorkingDay(before)) before--
  return before
}
