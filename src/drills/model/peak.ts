import { MINUTE_MS, DAY_MS, type Ms } from '../../base/time.ts'
import { openReader } from '../../store/open-reader.ts'
import { placeText, type StorePlace } from '../../store/place.ts'

/** The busiest minute of a desk: how many fills it had, and for how many dollars. */
export type Peak = {
  readonly fillsPerMinute: number
  readonly usdPerMinute: number
  /** What the figures come from, in words for the report. */
  readonly source: string
}

/** Six months: the window that the rules for algorithmic trading name for stress tests. */
const WINDOW_MS: Ms = 183 * DAY_MS
/** For a desk without a journal: a busy minute of the simulated venue. */
const ASSUMED = { fillsPerMinute: 30, usdPerMinute: 3_000 } as const

/** The peak of the last six months in the store, beside a daemon or without one. Nothing is written. */
export function readPeak(place: StorePlace, now: Ms): Peak {
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
      source: `the busiest minutes of the last six months in ${where}`,
    }
  } finally {
    reader.value.close()
  }
}
