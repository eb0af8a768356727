import { MINUTE_MS, DAY_MS, type Ms } from '../../../base/time.ts'
import { openReader, type StoreReader } from '../../../store/open-reader.ts'
import { placeText, type StorePlace } from '../../../store/place.ts'

/** The busiest minutes of a desk: of fills, of dollars and of requests with its key. */
export type Peak = {
  readonly fillsPerMinute: number
  readonly usdPerMinute: number
  /** Requests with or without an answer, including those of commands. */
  readonly requestsPerMinute: number
  /** The source of the figures, in words for the report. */
  readonly source: string
}

/** Six months: the window that the rules for algorithmic trading name for stress tests. */
const WINDOW_MS: Ms = 183 * DAY_MS
/** For a desk without a journal: a busy minute of the simulated venue. */
const ASSUMED = { fillsPerMinute: 30, usdPerMinute: 3_000, requestsPerMinute: 40 } as const
/** The part of the journal that is read: it holds every answer, and reading half a year of it would take minutes. */
const REQUESTS_WINDOW_MS: Ms = 7 * DAY_MS

/**
 * Returns the peak in the store, whether or not a daemon is running: fills of the last six months, requests of the last week of
 * the journal. Writes nothing.
 */
export function readPeak(place: StorePlace | null, now: Ms): Peak {
  if (place === null)
    return {
      ...ASSUMED,
      source: 'an assumed peak, because the store in PostgreSQL is read with --read-store only',
    }
  const where = placeText(place)
  const reader = openReader(place)
  if (!reader.ok) return { ...ASSUMED, source: `an assumed peak, because there is no journal in ${where}` }
  try {
    const minutes = new Map<number, { fills: number; usd: number }>()
    for (const row of reader.value.rows('fills')) {
      const at = Date.parse(String(row['createdAt']))
      if (!Number.isFinite(at) || at < now - WINDOW_MS) continue
      const minute = Math.floor(at / MINUTE_MS)
      const before = minutes.get(minute) ?? { fills: 0, usd: 0 }
      minutes.set(minute, { fills: before.fills + 1, usd: before.usd + Number(row['volumeUsd']) })
    }
    if (minutes.size === 0) return { ...ASSUMED, source: `an assumed peak, because ${where} has no fill` }
    const all = [...minutes.values()]
    return {
      fillsPerMinute: Math.max(...all.map(({ fills }) => fills)),
      usdPerMinute: Math.max(...all.map(({ usd }) => usd)),
      requestsPerMinute: mostRequests(reader.value, now),
      source: `the busiest minutes of the last six months in ${where} (requests: of its last week)`,
    }
  } finally {
    reader.value.close()
  }
}

/** Counts requests with the key by their journalled outcomes. */
function mostRequests(reader: StoreReader, now: Ms): number {
  const minutes = new Map<number, number>()
  const add = (at: Ms) => {
    const minute = Math.floor(at / MINUTE_MS)
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1)
  }
  const first = Math.max(reader.firstSeq(), reader.lastSeqBefore(now - REQUESTS_WINDOW_MS) + 1)
  for (const { event } of reader.journal(first)) {
    if (event.type === 'requestsElsewhere' && event.lane === 'key') event.times.forEach(add)
    else if ('request' in event && event.type !== 'bestQuote') {
      if ('alsoSentAt' in event) event.alsoSentAt?.forEach(add)
      add(event.t)
    }
  }
  return Math.max(0, ...minutes.values())
}
