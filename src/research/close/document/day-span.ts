import { DAY_MS, HOUR_MS, MINUTE_MS, type Ms } from '../../../base/time.ts'
import { localTime } from '../../../core/strategy/local-time.ts'

/** From the first moment of a day to the first one of the next day. */
export type DaySpan = { readonly from: Ms; readonly to: Ms }

/** No zone is further from UTC than this. */
const FURTHEST_MS = 15 * HOUR_MS

/** Returns the bounds of a day, `2026-11-22`, in a time zone; null = no such day. */
export function daySpan(day: string, timezone: string): DaySpan | null {
  const noon = Date.parse(`${day}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(noon) || zonedDayText(noon, 'UTC') !== day) return null
  const from = firstMoment(day, noon, timezone)
  const to = firstMoment(nextDay(day), noon + DAY_MS, timezone)
  return from === null || to === null ? null : { from, to }
}

/** Returns a moment's day in a time zone. */
export function zonedDayText(t: Ms, timezone: string): string {
  const { year, month, day } = localTime(t, timezone)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** Returns the next calendar day. */
export function nextDay(day: string): string {
  return zonedDayText(Date.parse(`${day}T00:00:00Z`) + DAY_MS, 'UTC')
}

/** Returns the previous calendar day. */
export function dayBefore(day: string): string {
  return zonedDayText(Date.parse(`${day}T00:00:00Z`) - DAY_MS, 'UTC')
}

/** Returns the first minute of `day` in a zone; null if the zone skipped that day. Clocks change by whole minutes. */
function firstMoment(day: string, near: Ms, timezone: string): Ms | null {
  let [before, within] = [near - FURTHEST_MS, near + FURTHEST_MS]
  while (within - before > MINUTE_MS) {
    const middle = Math.floor((before + within) / 2 / MINUTE_MS) * MINUTE_MS
    if (zonedDayText(middle, timezone) < day) before = middle
    else within = middle
  }
  return zonedDayText(within, timezone) === day ? within : null
}
