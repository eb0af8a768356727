import { HOUR_MS, MINUTE_MS, type Ms } from '../../../../base/time.ts'
import { createCalendar } from '../../position/calendar.ts'

/** Returns whether the daily summary became due after `from` and no later than `to`; `lastAt` = when the last one was sent. */
export type SummaryClock = (from: Ms, to: Ms, lastAt: Ms | null) => boolean

/** Long enough that an hour shown twice in autumn is due only once. A longer pause would skip the summary after a late one. */
const LEAST_PAUSE_MS = HOUR_MS + MINUTE_MS
/** The longest day. If the clocks skip the hour in spring, no minute matches, and this limit makes the summary due. */
const LONGEST_PAUSE_MS = 25 * HOUR_MS + MINUTE_MS
/** After a longer absence the daemon sends a single summary. */
const MOST_MINUTES = 24 * 60

/** Due once a day when the clocks in the zone show that time, regardless of daylight saving; late rather than never. */
export function summaryClock(
  at: { readonly hour: number; readonly minute: number },
  timezone: string,
): SummaryClock {
  const calendar = createCalendar()
  const cron = `${at.minute} ${at.hour} * * *`
  return (from, to, lastAt) => {
    if (lastAt !== null && to - lastAt < LEAST_PAUSE_MS) return false
    if (lastAt !== null && to - lastAt > LONGEST_PAUSE_MS) return true
    const last = Math.floor(to / MINUTE_MS)
    const first = Math.max(Math.floor(from / MINUTE_MS) + 1, last - MOST_MINUTES)
    for (let minute = first; minute <= last; minute += 1) {
      if (calendar(cron, timezone, minute * MINUTE_MS)) return true
    }
    return false
  }
}
