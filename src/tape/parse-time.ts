import type { Ms } from '../base/time.ts'

/** The last millisecond that has a year of four digits; the first time of a tape is 0. */
export const LATEST_TIME: Ms = 253_402_300_799_999

const ISO_TIME = /^(\d{4}-\d\d-\d\dT)(\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):(\d\d))$/
const LATEST_HOUR = 23
const MINUTES_OF_HOUR = 60

/**
 * A time with a date, a time of day and a zone, as ISO 8601 writes it; null where it is something else or a
 * day that no calendar has. Kept to the millisecond: what is finer is cut off.
 */
export function parseTime(text: string): Ms | null {
  const match = ISO_TIME.exec(text)
  if (match === null) return null
  const [, day = '', minutes = '', seconds = '00', fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] =
    match
  const local = `${day}${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const t = Date.parse(local)
  // February 30 and 24:00 are read as the next day by some: a time is what it says or it is none.
  if (Number.isNaN(t) || new Date(t).toISOString() !== local) return null
  if (sign === undefined) return t
  const [hours, rest] = [Number(zoneHours), Number(zoneMinutes)]
  if (hours > LATEST_HOUR || rest >= MINUTES_OF_HOUR) return null
  const offset = (hours * MINUTES_OF_HOUR + rest) * 60_000
  return sign === '+' ? t - offset : t + offset
}
