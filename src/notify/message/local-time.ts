import type { Ms } from '../../base/time.ts'

export type LocalTime = {
  /** `2026-03-02 09:15:01`, as clocks in the zone show it. */
  readonly text: string
  readonly minuteOfDay: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** A moment as the clocks of a time zone show it. Throws RangeError where there is no such zone. */
export function localTime(t: Ms, timezone: string): LocalTime {
  let format = formats.get(timezone)
  if (format === undefined) {
    // Swedish dates are written from the year down.
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    formats.set(timezone, format)
  }
  const text = format.format(t)
  const [, hour = '0', minute = '0'] = / (\d\d):(\d\d)/.exec(text) ?? []
  return { text, minuteOfDay: Number(hour) * 60 + Number(minute) }
}
