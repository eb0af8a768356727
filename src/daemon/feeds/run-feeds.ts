import { ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { Feed, FeedReader, FeedSource, FeedFigure } from './feed.ts'
import { openCsv, openFile } from './open-file.ts'
import { openHttp } from './open-http.ts'
import type { ReferenceEvent, ReferenceFailedEvent } from '../../core/engine/model/event.ts'
import { implausibility } from '../../core/market/feeds.ts'
import type { FeedProblem } from '../../core/market/market-state.ts'
import type { Rate } from '../../base/money/rate.ts'
import { runAfter, runCaught } from '../../base/threads/timing.ts'

type RunFeedsParts = {
  readonly feeds: readonly Feed[]
  /** The position's clock. */
  readonly now: () => Ms
  /** Takes an event into the journal and the core. */
  readonly submit: (event: FeedEvent) => void
  /** Called after each reading, even if the rate is unchanged. */
  readonly onReading?: (name: string, isOk: boolean) => void
}

export type RunningFeeds = { readonly close: () => Promise<void> }

/** Reads each feed at its own interval until closed. A hanging feed delays no other, and is never read twice at a time. */
export function runFeeds(parts: RunFeedsParts): RunningFeeds {
  const running = parts.feeds.map((feed) => runFeed(feed, parts))
  return { close: async () => void (await Promise.all(running.map((one) => one.close()))) }
}

function runFeed(feed: Feed, { now, submit, onReading }: RunFeedsParts): RunningFeeds {
  const reader = openFeed(feed.source)
  const filter = createReadingFilter(feed)
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  async function readOnce(): Promise<void> {
    const read = await reader.read()
    // Drops a reading after the end: a reload may have assigned the name to another source.
    if (isClosed) return
    onReading?.(feed.settings.name, read.ok)
    const event = filter(now(), read)
    if (event !== null) submit(event)
  }

  function readAgain(): Promise<void> {
    const began = performance.now()
    return readOnce().finally(() => {
      const waitMs = Math.max(0, feed.everyMs - (performance.now() - began))
      if (!isClosed) timer = runAfter(readAgain, waitMs).unref()
    })
  }

  runCaught(readAgain)
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      return reader.close()
    },
  }
}

/** Opens a source without reading it yet. */
export function openFeed(source: FeedSource): FeedReader {
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

/** Returns the event of a reading, or null if the journal already has it. */
type ReadingFilter = (t: Ms, read: Result<FeedFigure, string>) => FeedEvent | null

const HEARTBEAT_MS = 60_000

type Reported = { readonly t: Ms; readonly mid: Rate | null; readonly kind: FeedProblem['kind'] | null }

/**
 * Selects the readings for the journal, which would grow with every poll otherwise: a new or implausible rate at
 * once, else a heartbeat, at least three of which arrive before the feed counts as stale. After an implausible rate,
 * ignores the feed for one heartbeat, so that a wavering feed is not dropped every second.
 */
export function createReadingFilter({
  settings,
  everyMs,
}: Pick<Feed, 'settings' | 'everyMs'>): ReadingFilter {
  const { name: source, origin, staleAfterMs } = settings
  const heartbeatMs = Math.max(everyMs, Math.min(HEARTBEAT_MS, staleAfterMs / 3))
  let reported: Reported | null = null
  let datedAt: Ms | null = null
  let barredUntil: Ms = 0

  function failed(t: Ms, kind: FeedProblem['kind'], problem: string): FeedEvent | null {
    if (kind === 'implausible') barredUntil = t + heartbeatMs
    // A continuing failure is not reported again: the last rate becomes stale anyway.
    const isNews: boolean =
      reported === null || (kind === 'implausible' ? reported.kind !== kind : isHeartbeat(t, reported))
    if (!isNews) return null
    reported = { t, mid: reported?.mid ?? null, kind }
    return { type: 'referenceFailed', t, source, kind, problem }
  }

  function isHeartbeat(t: Ms, { t: before, kind }: Reported): boolean {
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
    if (reported !== null && reported.kind === null && reported.mid === mid && !isHeartbeat(t, reported))
      return null
    reported = { t, mid, kind: null }
    return { type: 'reference', t, source, mid, datedAt: read.value.datedAt, origin }
  }
}
