import { useEffect, useRef, useState } from 'preact/hooks'
import type { PositionView } from '../../../view/position-view.ts'
import type { HistoryAnswer } from '../../answers.ts'
import { askApi, query } from '../live/ask-api.ts'

export type TimeRange =
  /** The last N ms up to now; null = the whole history. */
  | { readonly kind: 'last'; readonly name: string; readonly ms: number | null }
  /** A fixed range that the user zoomed to. */
  | { readonly kind: 'fixed'; readonly from: number; readonly to: number }

const HOUR = 3_600_000
const DAY = 86_400_000

export const RANGES = [
  { kind: 'last', name: '1h', ms: HOUR },
  { kind: 'last', name: '6h', ms: 6 * HOUR },
  { kind: 'last', name: '1d', ms: DAY },
  { kind: 'last', name: '7d', ms: 7 * DAY },
  { kind: 'last', name: '30d', ms: 30 * DAY },
  { kind: 'last', name: '1y', ms: 365 * DAY },
  { kind: 'last', name: 'all', ms: null },
] as const satisfies readonly TimeRange[]

const SHORTEST_MS = 10_000
/** A range up to now is at least this long. */
const LEAST_MS = 60_000

/** Returns [from, to] scaled by `factor` around its middle and moved by `shift` of its length; never before the epoch. */
export function timeRange(shown: readonly [number, number], factor: number, shift: number): TimeRange {
  const [from, to] = shown
  const length = Math.max(SHORTEST_MS, (to - from) * factor)
  const middle = (from + to) / 2 + (to - from) * shift
  const start = Math.max(0, Math.round(middle - length / 2))
  return { kind: 'fixed', from: start, to: Math.max(start + SHORTEST_MS, Math.round(middle + length / 2)) }
}

type History = {
  readonly answer: HistoryAnswer | null
  readonly problem: string | null
  readonly loading: boolean
}

const POINTS = 600
/** The store has one row per minute. */
const SOONEST_MS = 15_000
const FILLS_EVERY_MS = 3_000
/** Number of steps of the search for the first row: each refines the last one's result; three reach seconds. */
const SEARCHES = 3

/**
 * Returns the history of the range. A range that ends now is requested again when new points are due and after fills, but not while the page
 * is hidden or the daemon does not answer.
 */
export function useHistory(
  position: string,
  range: TimeRange,
  { now: dataNow, fills }: Pick<PositionView, 'now' | 'fills'>,
  stale: boolean,
): History {
  const [history, setHistory] = useState<History>({ answer: null, problem: null, loading: true })
  const now = useRef(dataNow)
  now.current = dataNow
  const beginning = useRef<number | null>(null)
  const step = history.answer?.stepMs ?? 0
  // A busy market has several fills a second; the count is looked at with every state that arrives.
  const seen = useRef({ fills: fills.total, at: performance.now() })
  if (fills.total !== seen.current.fills && performance.now() - seen.current.at >= FILLS_EVERY_MS)
    seen.current = { fills: fills.total, at: performance.now() }
  const due =
    range.kind === 'fixed' || stale ? 0 : Math.floor(dataNow / Math.max(SOONEST_MS, Math.min(step, 60_000)))
  useEffect(() => {
    if (stale || document.hidden) return
    let isGone = false
    const load = async () => {
      const to = range.kind === 'fixed' ? range.to : now.current
      if (range.kind === 'last') beginning.current ??= await findBeginning(position, to)
      const from = historyStart(range, to, beginning.current)
      const answer = await askApi<HistoryAnswer>(`history${query({ position, from, to, points: POINTS })}`)
      if (isGone) return
      setHistory((before) =>
        answer.ok
          ? { answer: answer.value, problem: null, loading: false }
          : { ...before, problem: answer.error.message, loading: false },
      )
    }
    void load()
    return () => {
      isGone = true
    }
  }, [position, range, due, stale, range.kind === 'fixed' ? 0 : seen.current.fills])
  return history
}

/** Returns where a range that ends at `to` begins: at the first datum if that is later, and at most so that a few minutes remain. */
export function historyStart(range: TimeRange, to: number, beginning: number | null): number {
  if (range.kind === 'fixed') return range.from
  const first = beginning ?? to - HOUR
  const from = range.ms === null ? first : Math.max(first, to - range.ms)
  return Math.max(0, Math.min(from, to - LEAST_MS))
}

/** The approximate time of the store's first mid; null = none exists. */
async function findBeginning(position: string, to: number): Promise<number | null> {
  let from = 0
  for (let search = 0; search < SEARCHES; search++) {
    const asked = query({ position, from, to, points: POINTS })
    const answer = await askApi<HistoryAnswer>(`history${asked}`)
    if (!answer.ok) return search === 0 ? null : from
    const { t, mid, stepMs } = answer.value
    const first = mid.findIndex((value) => value !== null)
    if (first < 0) return search === 0 ? null : from
    from = Math.max(0, Math.floor((t[first] ?? to) - stepMs))
  }
  return from
}
