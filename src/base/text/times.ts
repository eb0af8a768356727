import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Ms } from '../time.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const MONTH_MS = 28 * DAY_MS
const YEAR_MS = 360 * DAY_MS

/** Returns a duration in its two largest units: `45s`, `3h 12m`, `2d 4h`; 'unknown' for null. */
export function ageText(ms: Ms | null): string {
  if (ms === null) return 'unknown'
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / SECOND_MS))}s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m ${Math.floor((ms % MINUTE_MS) / SECOND_MS)}s`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)}m`
  return `${Math.floor(ms / DAY_MS)}d ${Math.floor((ms % DAY_MS) / HOUR_MS)}h`
}

/** Returns a time in ISO 8601: `2026-11-21T14:03:22.000Z`. */
export function isoText(t: Ms): string
export function isoText(t: Ms | null): string | null
export function isoText(t: Ms | null): string | null {
  return t === null ? null : new Date(t).toISOString()
}

/** Returns a time to the second: `2026-11-21 14:03:22 UTC`; an invalid time becomes its digits. */
export function timeText(t: Ms): string {
  return isMoment(t) ? `${isoText(t).slice(0, 19).replace('T', ' ')} UTC` : String(t)
}

/** Returns a time to the minute, for reports: `21 Nov 2026, 14:03 UTC`. */
export function minuteText(t: Ms): string {
  return isMoment(t) ? `${dateText(t)}, ${isoText(t).slice(11, 16)} UTC` : 'unknown'
}

/** Returns a time for a chart that spans `shownMs`: seconds below an hour, only the day for spans of days. */
export function momentText(t: Ms, shownMs: Ms): string {
  if (shownMs === Infinity) return dateText(t)
  return `${dateText(t)}, ${isoText(t).slice(11, shownMs < HOUR_MS ? 19 : 16)} UTC`
}

/** `21 Nov 2026`, UTC. */
export function dateText(t: Ms): string {
  return isMoment(t) ? `${dayText(t)} ${new Date(t).getUTCFullYear()}` : 'unknown'
}

/** `21 Nov`, UTC. */
export function dayText(t: Ms): string {
  return `${new Date(t).getUTCDate()} ${monthText(t)}`
}

/** Returns `14:03:22` in UTC, preceded by the day unless it is the day of `now`. */
export function clockText(t: Ms, now: Ms): string {
  const clock = isoText(t).slice(11, 19)
  return dayOf(t) === dayOf(now) ? clock : `${dayText(t)} ${clock}`
}

/** Returns the labels of a time axis with ticks `stepMs` apart; the day or the year is printed below its first tick. */
export function timeTicks(ticks: readonly Ms[], stepMs: Ms): string[] {
  return ticks.map((t, index) => {
    const before = ticks[index - 1]
    const year = new Date(t).getUTCFullYear()
    if (stepMs >= YEAR_MS) return String(year)
    const isNewYear = before === undefined || new Date(before).getUTCFullYear() !== year
    const below = isNewYear ? `\n${year}` : ''
    if (stepMs >= MONTH_MS) return `${monthText(t)}${below}`
    if (stepMs >= DAY_MS) return `${dayText(t)}${below}`
    const clock = isoText(t).slice(11, stepMs < MINUTE_MS ? 19 : 16)
    return before === undefined || dayOf(before) !== dayOf(t) ? `${clock}\n${dayText(t)}` : clock
  })
}

function monthText(t: Ms): string {
  return MONTHS[new Date(t).getUTCMonth()] ?? ''
}

function dayOf(t: Ms): number {
  return Math.floor(t / DAY_MS)
}

function isMoment(t: Ms): boolean {
  return !Number.isNaN(new Date(t).getTime())
}
