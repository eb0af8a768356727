import { keepNewest } from '../../base/bounded-map.ts'
import { MINUTE_MS, type Ms } from '../../base/time.ts'

/** A moment in the calendar and clock of a time zone. */
export type LocalTime = {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  /** 0 = Sunday. */
  readonly weekday: number
  /** Minute of the day, 0 to 1,439. */
  readonly minute: number
}

type Zone = { readonly format: Intl.DateTimeFormat; minute: number; time: LocalTime | null }

/** Creating a format costs a hundred times as much as using it. */
const zones = new Map<string, Zone>()
/** Cache size: one zone has many spellings, and a strategy may use any. */
const MOST_ZONES = 32
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Returns whether this is the name of a time zone that `context.inWindow` and `localTime` accept. */
export function isTimeZone(name: string): boolean {
  try {
    return zoneOf(name).format.resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}

/**
 * Returns the minute of a moment in a time zone, pure except for the machine's time-zone tables. Throws a RangeError for an invalid
 * time zone or moment. For days and hours; `context.inWindow` reads cron expressions.
 */
export function localTime(t: Ms, timezone: string): LocalTime {
  const zone = zoneOf(timezone)
  const minute = Math.floor(t / MINUTE_MS)
  if (zone.time === null || zone.minute !== minute) {
    zone.time = timeOf(zone.format, minute * MINUTE_MS)
    zone.minute = minute
  }
  return zone.time
}

function timeOf(format: Intl.DateTimeFormat, t: Ms): LocalTime {
  const parts: Partial<Record<string, string>> = {}
  for (const { type, value } of format.formatToParts(t)) parts[type] = value
  const part = (type: string) => Number(parts[type])
  return Object.freeze({
    year: part('year'),
    month: part('month'),
    day: part('day'),
    weekday: WEEKDAYS.indexOf(parts['weekday'] ?? ''),
    minute: 60 * part('hour') + part('minute'),
  })
}

function zoneOf(timezone: string): Zone {
  let zone = zones.get(timezone)
  if (zone === undefined) {
    const format = new Intl.DateTimeFormat('en', {
      timeZone: timezone,
      hourCycle: 'h23',
      calendar: 'gregory',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      weekday: 'short',
      hour: 'numeric',
      minute: 'numeric',
    })
    zone = { format, minute: Number.NaN, time: null }
    keepNewest(zones, timezone, zone, MOST_ZONES)
  }
  return zone
}
