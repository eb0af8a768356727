import { useEffect, useRef, useState } from 'preact/hooks'
import type { HistoryAnswer } from '../../api/api-types.ts'
import { askApi, query } from '../live/ask-api.ts'
import type { TimeRange } from './time-range.ts'

export type History = {
  readonly answer: HistoryAnswer | null
  readonly problem: string | null
  readonly loading: boolean
}

const POINTS = 600
/** The store has a row a minute. */
const SOONEST_MS = 15_000
/** Looking for the beginning: each look is finer, around where the last one found it; three come to seconds. */
const SEARCHES = 3

/**
 * What the store has for the range. A range that ends now is asked again as new points come due, but not
 * while the page is hidden or the daemon is not heard.
 */
export function useHistory(position: string, range: TimeRange, dataNow: number, stale: boolean): History {
  const [history, setHistory] = useState<History>({ answer: null, problem: null, loading: true })
  const now = useRef(dataNow)
  now.current = dataNow
  const beginning = useRef<number | null>(null)
  const step = history.answer?.stepMs ?? 0
  const due =
    range.kind === 'fixed' || stale ? 0 : Math.floor(dataNow / Math.max(SOONEST_MS, Math.min(step, 60_000)))
  useEffect(() => {
    if (stale || document.hidden) return
    let isGone = false
    const load = async () => {
      const to = range.kind === 'fixed' ? range.to : now.current
      if (range.kind === 'last' && range.ms === null) beginning.current ??= await findBeginning(position, to)
      const from = range.kind === 'fixed' ? range.from : range.ms === null ? beginning.current : to - range.ms
      const answer = await askApi<HistoryAnswer>(
        `history${query({ position, from: from ?? to - 3_600_000, to, points: POINTS })}`,
      )
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
  }, [position, range, due, stale])
  return history
}

/** When the store's first mid was seen, nearly; null = there is none. */
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
