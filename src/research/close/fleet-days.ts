import { join } from 'node:path'
import type { Ms } from '../../base/time.ts'
import { daySpan } from './document/day-span.ts'
import { readCloseFolder } from './folder/read-folder.ts'
import { openReader } from '../../store/open-reader.ts'
import { type CloseConfig, dayNamed } from './close-position.ts'

/**
 * Returns the positions that have a day to close, grouped by day and sorted: positions closed before, even if their
 * store is no longer readable, and positions whose store has data of the day. Time zones may name different days.
 * Throws StoreReadError.
 */
export function positionsByDay(
  configs: readonly CloseConfig[],
  { day: named, out }: { readonly day: string; readonly out: string },
  now: Ms,
): ReadonlyMap<string, readonly string[]> {
  const byDay = new Map<string, string[]>()
  for (const config of configs) {
    const { name } = config.core
    const day = dayNamed(named, config, now)
    if (wasClosed(join(out, name)) || hasEventsOf(config, day))
      byDay.set(day, [...(byDay.get(day) ?? []), name].toSorted())
  }
  return byDay
}

function wasClosed(folder: string): boolean {
  const read = readCloseFolder(folder)
  return read.ok && read.value.days.size > 0
}

function hasEventsOf({ store, close: { timezone } }: CloseConfig, day: string): boolean {
  const span = daySpan(day, timezone)
  const reader = openReader(store.place)
  if (!reader.ok) return false
  try {
    return span !== null && reader.value.lastSeqBefore(span.to) > 0
  } finally {
    reader.value.close()
  }
}
