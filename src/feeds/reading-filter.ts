import type { Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import type { ReferenceEvent, ReferenceFailedEvent } from '../engine/model/event.ts'
import { implausibility, type FeedProblem } from '../market/feeds.ts'
import type { Rate } from '../money/rate.ts'
import type { Feed, Figure } from './feed.ts'

export type FeedEvent = ReferenceEvent | ReferenceFailedEvent

/** Makes an event of a reading, or null where the journal has it already. */
export type ReadingFilter = (t: Ms, read: Result<Figure, string>) => FeedEvent | null

const HEARTBEAT_MS = 60_000

type Told = { readonly t: Ms; readonly mid: Rate | null; readonly kind: FeedProblem['kind'] | null }

/**
 * What goes to the journal: a new figure and a figure that cannot be at once, otherwise a heartbeat, at least
 * three before the feed would count as silent. So the journal does not grow by the poll. A feed that showed a
 * figure that cannot be is not heard again for one heartbeat: one that wavers is not dropped every second.
 */
export function createReadingFilter({
  settings,
  everyMs,
}: Pick<Feed, 'settings' | 'everyMs'>): ReadingFilter {
  const { name: source, origin, staleAfterMs } = settings
  const heartbeatMs = Math.max(everyMs, Math.min(HEARTBEAT_MS, staleAfterMs / 3))
  let told: Told | null = null
  let datedAt: Ms | null = null
  let barredUntil: Ms = 0

  function failed(t: Ms, kind: FeedProblem['kind'], problem: string): FeedEvent | null {
    if (kind === 'implausible') barredUntil = t + heartbeatMs
    // What goes on to fail is no news: the figure before it grows old by itself.
    const isNews: boolean =
      told === null || (kind === 'implausible' ? told.kind !== kind : isHeartbeat(t, told))
    if (!isNews) return null
    told = { t, mid: told?.mid ?? null, kind }
    return { type: 'referenceFailed', t, source, kind, problem }
  }

  function isHeartbeat(t: Ms, { t: before, kind }: Told): boolean {
    return kind === null && t - before >= heartbeatMs
  }

  return (t, read) => {
    if (!read.ok) return failed(t, 'unreadable', read.error)
    const { mid } = read.value
    const problem = implausibility(settings, { t, ...read.value })
    if (problem !== null) return failed(t, 'implausible', problem)
    if (datedAt !== null && read.value.datedAt !== null && read.value.datedAt < datedAt)
      return failed(t, 'unreadable', 'its date is earlier than the one of the reading before it')
    datedAt = read.value.datedAt ?? datedAt
    if (t < barredUntil) return null
    if (told !== null && told.kind === null && told.mid === mid && !isHeartbeat(t, told)) return null
    told = { t, mid, kind: null }
    return { type: 'reference', t, source, mid, datedAt: read.value.datedAt, origin }
  }
}
