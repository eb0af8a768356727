import { DAY_MS, type Ms } from '../../base/time.ts'

/** Days since the epoch, UTC. */
export function dayOf(time: Ms): number {
  return Math.floor(time / DAY_MS)
}

/** 0 = Sunday. The epoch was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

/** Monday to Friday; the simulated market has no holidays. */
export function isWorkingDay(day: number): boolean {
  const weekday = weekdayOf(day)
  return weekday >= 1 && weekday <= 5
}

export function workingDayBefore(day: number): number {
  let before = day - 1
  while (!isWorkingDay(before)) before--
  return before
}
