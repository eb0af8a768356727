import { useEffect, useState } from 'preact/hooks'
import type { HistoryAnswer } from '../../api/api-types.ts'
import { askApi, query } from '../live/ask-api.ts'

const DAY_MS = 86_400_000

/**
 * Dollars earned since midnight UTC: the total now less the last one that was known then, however old where
 * the daemon did not run at midnight. A position that began today has earned all of it today. Null = not known.
 */
export function usePnlToday(position: string, now: number, total: string | null): number | null {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS
  const [base, setBase] = useState<{ readonly midnight: number; readonly usd: number } | null>(null)
  useEffect(() => {
    let isGone = false
    const ask = query({ position, from: 0, to: midnight, points: 2 })
    void askApi<HistoryAnswer>(`history${ask}`).then((answer) => {
      if (!isGone && answer.ok) setBase({ midnight, usd: answer.value.pnl.totalUsd.at(-1) ?? 0 })
    })
    return () => {
      isGone = true
    }
  }, [position, midnight])
  if (total === null || base === null || base.midnight !== midnight) return null
  return Number(total) - base.usd
}
