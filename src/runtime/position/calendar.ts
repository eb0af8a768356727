import { createTask, type ScheduledTask } from 'node-cron'
import { MINUTE_MS, type Ms } from '../../base/time.ts'
import type { Calendar } from '../../engine/transition.ts'

type Entry = { readonly task: ScheduledTask; minute: Ms; matches: boolean }

/**
 * Answers whether a cron expression matches the minute of a moment in a time zone: the core's only view of
 * calendars. Pure apart from the time-zone tables of the machine; one answer per minute is remembered.
 * An expression node-cron cannot read throws here, inside the strategy's guarded call.
 */
export function createCalendar(): Calendar {
  const entries = new Map<string, Entry>()
  return (cron, timezone, at) => {
    const key = `${timezone} ${cron}`
    let entry = entries.get(key)
    if (entry === undefined) {
      entry = { task: createTask(cron, () => undefined, { timezone }), minute: Number.NaN, matches: false }
      entries.set(key, entry)
    }
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS
    if (entry.minute !== minute) {
      entry.minute = minute
      // A five-field expression fires in second 0 of its minute: that is the moment to ask about.
      entry.matches = entry.task.match(new Date(minute))
    }
    return entry.matches
  }
}
