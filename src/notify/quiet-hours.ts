import type { Ms } from '../base/time.ts'
import { localTime } from './local-time.ts'

/** From one minute of the day to another, which may be on the next day; equal ones are no time at all. */
export type QuietHours = { readonly fromMinute: number; readonly toMinute: number }

/** Whether the clocks of the zone stand within those hours. */
export function isQuietAt({ fromMinute, toMinute }: QuietHours, t: Ms, timezone: string): boolean {
  const { minuteOfDay } = localTime(t, timezone)
  return fromMinute <= toMinute
    ? minuteOfDay >= fromMinute && minuteOfDay < toMinute
    : minuteOfDay >= fromMinute || minuteOfDay < toMinute
}
