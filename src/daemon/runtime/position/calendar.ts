import type { ScheduledTask } from 'node-cron'
import { keepNewest } from '../../../base/bounded-map.ts'
import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import { readCron } from '../../config/schema/cron.ts'
import type { Calendar } from '../../../core/engine/transition.ts'

type Entry = { readonly task: ScheduledTask; minute: Ms; matches: boolean }

/** A strategy uses a few expressions; one that generates new ones must not fill the memory. */
const MOST_KEPT = 64

/**
 * Returns a function that checks whether a cron expression matches the minute of a time in a time zone: the core's only access to
 * calendars. Pure apart from the machine's time-zone tables; caches one answer per minute. Throws for an expression that node-cron cannot
 * parse, inside the strategy's guarded call.
 */
export function createCalendar(): Calendar {
  const entries = new Map<string, Entry>()
  return (cron, timezone, at) => {
    const key = `${timezone} ${cron}`
    const entry = entries.get(key) ?? keepNewest(entries, key, entryOf(cron, timezone), MOST_KEPT)
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS
    if (entry.minute !== minute) {
      entry.minute = minute
      // A five-field expression fires in second 0 of its minute, so ask about that second.
      entry.matches = entry.task.match(new Date(minute))
    }
    return entry.matches
  }
}

function entryOf(cron: string, timezone: string): Entry {
  return { task: readCron(cron, timezone), minute: Number.NaN, matches: false }
}
