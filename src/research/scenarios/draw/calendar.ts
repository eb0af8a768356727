/** Time in a world: hours since day 0, a Monday 00:00 UTC. Steps of the rate are hours, of quotes half hours. */
export const HOURS_A_DAY = 24

export function dayOfHour(hour: number): number {
  return Math.floor(hour / HOURS_A_DAY)
}

export function isWorkingDay(day: number): boolean {
  return day % 7 < 5
}

/** Returns the day itself, or the next Monday. */
export function workingDayFrom(day: number): number {
  return isWorkingDay(day) ? day : day + 7 - (day % 7)
}

/** Returns the last working day before this one; below 0 = before the world began. */
export function workingDayBefore(day: number): number {
  const before = day - 1
  return isWorkingDay(before) ? before : before - ((before % 7) - 4)
}

/**
 * Runs, holds and depegs begin at least this long after the start and before the end of a quarter, so that their whole effect is visible.
 */
export const FIRST_INCIDENT_DAY = 3
export const INCIDENT_DAYS_BEFORE_END = 13
/** Numbers of incidents are per this many days. */
export const QUARTER_DAYS = 90
