import type { Event } from '../../../src/core/engine/model/event.ts'
import { openReader } from '../../../src/store/open-reader.ts'

/** The events that a store has on disk, also while its daemon runs. */
export function journalOf(store: string): readonly Event[] {
  const reader = openReader(store)
  if (!reader.ok) throw new Error(reader.error.message)
  try {
    return Array.from(reader.value.journal(1), ({ event }) => event)
  } finally {
    reader.value.close()
  }
}

/** How often a process or a restart has taken the store up. */
export function startsOf(store: string): number {
  return journalOf(store).filter(({ type }) => type === 'started').length
}

/** The longest time between two events since then. Every position of these tests polls twice a second. */
export function longestPauseMs(store: string, since: number): number {
  const times = [since, ...journalOf(store).flatMap(({ t }) => (t > since ? [t] : []))]
  return Math.max(...times.slice(1).map((t, index) => t - (times[index] ?? t)))
}
