import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import { SKIM_TIMEZONE } from '../../config/schema/cron.ts'
import { createCalendar } from '../position/calendar.ts'
import { runEvery } from '../../../base/threads/timing.ts'

const POLL_MS = 20_000
/** After a longer pause of the process the missed skim is skipped. */
const MOST_MINUTES = 60

type SkimClock = {
  /** Returns whether a minute of the cron has begun since the last check. */
  readonly look: () => void
  readonly close: () => void
}

/**
 * Calls `onDue` for each minute that the skim's cron expression matches, in East Africa Time. Reads `cron` each time, because
 * a reload may change it; null = never.
 */
export function runSkimClock(cron: () => string | null, now: () => Ms, onDue: () => void): SkimClock {
  const calendar = createCalendar()
  let last = Math.floor(now() / MINUTE_MS)
  const look = (): void => {
    const expression = cron()
    const current = Math.floor(now() / MINUTE_MS)
    const first = Math.max(last + 1, current - MOST_MINUTES)
    last = Math.max(last, current)
    if (expression === null) return
    for (let minute = first; minute <= current; minute += 1) {
      if (calendar(expression, SKIM_TIMEZONE, minute * MINUTE_MS)) onDue()
    }
  }
  const timer = runEvery(look, POLL_MS).unref()
  return { look, close: () => clearInterval(timer) }
}
