import type { Ms } from '../../base/time.ts'
import type { DayRow } from './day-rows.ts'

/** Every UTC day of a run in order, by columns of equal length; days without a fill are there too. */
export type DailyResults = {
  /** The day's first moment. */
  readonly day: readonly Ms[]
  readonly pnlUsd: readonly number[]
  readonly turnoverUsd: readonly number[]
  readonly fills: readonly number[]
}

/** The PnL of a day, or of a day with the stump beside it, and when it ended. */
export type WholeDay = { readonly to: Ms; readonly pnlUsd: number }

const SHORTEST_MS = 12 * 3_600_000

export function dailyResults(rows: readonly DayRow[]): DailyResults {
  return {
    day: rows.map(({ day }) => day),
    pnlUsd: rows.map(({ pnlUsd }) => pnlUsd),
    turnoverUsd: rows.map(({ turnoverUsd }) => turnoverUsd),
    fills: rows.map(({ fills }) => fills),
  }
}

/**
 * Days for statistics: a first or last one of less than half a day is no day of its own and goes to its
 * neighbour, so that all days scatter alike.
 */
export function wholeDays(rows: readonly DayRow[]): readonly WholeDay[] {
  const days = rows.map(({ from, to, pnlUsd }) => ({ from, to, pnlUsd }))
  const [first, second] = days
  if (first !== undefined && second !== undefined && isStump(first)) {
    days.splice(0, 2, { from: first.from, to: second.to, pnlUsd: first.pnlUsd + second.pnlUsd })
  }
  const [beforeLast, last] = days.slice(-2)
  if (beforeLast !== undefined && last !== undefined && isStump(last)) {
    const pnlUsd = beforeLast.pnlUsd + last.pnlUsd
    days.splice(-2, 2, { from: beforeLast.from, to: last.to, pnlUsd })
  }
  return days
}

function isStump({ from, to }: { readonly from: Ms; readonly to: Ms }): boolean {
  return to - from < SHORTEST_MS
}
