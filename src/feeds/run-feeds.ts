import { ok, type Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import type { Feed, FeedReader, FeedSource, Figure } from './feed.ts'
import { openCsv, openFile } from './open-file.ts'
import { openHttp } from './open-http.ts'
import type { ReferenceEvent, ReferenceFailedEvent } from '../engine/model/event.ts'
import { implausibility } from '../market/feeds.ts'
import type { FeedProblem } from '../market/market-state.ts'
import type { Rate } from '../money/rate.ts'

export type RunFeedsParts = {
  readonly feeds: readonly Feed[]
  /** The position's clock. */
  readonly now: () => Ms
  /** Takes an event into the journal and the core. */
  readonly submit: (event: FeedEvent) => void
  /** Told of each reading, whether or not it is news. */
  readonly onReading?: (name: string, isOk: boolean) => void
}

export type RunningFeeds = { readonly close: () => Promise<void> }

/** Reads each feed by its own period until closed; one that hangs holds up no other and is asked once at a time. */
export function runFeeds(parts: RunFeedsParts): RunningFeeds {
  const running = parts.feeds.map((feed) => runFeed(feed, parts))
  return { close: async () => void (await Promise.all(running.map((one) => one.close()))) }
}

function runFeed(feed: Feed, { now, submit, onReading }: RunFeedsParts): RunningFeeds {
  const reader = openFeed(feed.source)
  const filter = createReadingFilter(feed)
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const began = performance.now()
    const read = await reader.read()
    // What comes after the end belongs to nobody: a reload may have given the name to another source.
    if (isClosed) return
    onReading?.(feed.settings.name, read.ok)
    const event = filter(now(), read)
    if (event !== null) submit(event)
    timer = setTimeout(() => void look(), Math.max(0, feed.everyMs - (performance.now() - began)))
    timer.unref()
  }

  void look()
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      return reader.close()
    },
  }
}

function openFeed(source: FeedSource): FeedReader {
  switch (source.kind) {
    case 'http':
      return openHttp(source)
    case 'csv':
      return openCsv(source)
    case 'file':
      return openFile(source)
    case 'fixed':
      return {
        read: () => Promise.resolve(ok({ mid: source.mid, datedAt: null })),
        close: () => Promise.resolve(),
      }
  }
}

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
