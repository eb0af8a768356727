import { ok } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import type { Feed, FeedReader, FeedSource } from './feed.ts'
import { openCsv, openFile } from './open-file.ts'
import { openHttp } from './open-http.ts'
import { createReadingFilter, type FeedEvent } from './reading-filter.ts'

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
