import { HOUR_MS, MINUTE_MS, type Ms } from '../../../../base/time.ts'
import { createCalendar } from '../../position/calendar.ts'

/** When the daily summary is due. */
export type SummaryClock = {
  /** Whether it became due after `from` and up to `to`; `lastAt` = when the last one was sent. */
  readonly isDue: (from: Ms, to: Ms, lastAt: Ms | null) => boolean
}

/** An hour that the clocks show twice in autumn is one hour of that day. A longer pause would swallow the summary after a late one. */
const LEAST_PAUSE_MS = HOUR_MS + MINUTE_MS
/** The longest day; an hour that they leave out in spring brings no minute to match. */
const LONGEST_PAUSE_MS = 25 * HOUR_MS + MINUTE_MS
/** After a longer absence the daemon sends one summary. */
const MOST_MINUTES = 24 * 60

/** Once a day when the clocks of the zone show that time, daylight saving or not; late rather than never. */
export function summaryClock(
  at: { readonly hour: number; readonly minute: number },
  timezone: string,
): SummaryClock {
  const calendar = createCalendar()
  const cron = `${at.minute} ${at.hour} * * *`
  return {
    isDue(from, to, lastAt) {
      if (lastAt !== null && to - lastAt < LEAST_PAUSE_MS) return false
      if (lastAt !== null && to - lastAt > LONGEST_PAUSE_MS) return true
      const last = Math.floor(to / MINUTE_MS)
      const first = Math.max(Math.floor(from / MINUTE_MS) + 1, last - MOST_MINUTES)
      for (let minute = first; minute <= last; minute += 1) {
        if (calendar(cron, timezone, minute * MINUTE_MS)) return true
      }
      return false
    },
  }
}
