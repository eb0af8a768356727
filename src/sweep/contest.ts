import { DAY_MS, HOUR_MS, type Ms } from '../base/time.ts'
import type { TriedVariant } from './result-columns.ts'
import type { VariantResult } from './variant-job.ts'

/** Variants with their daily PnL on the same days. */
export type Contest = {
  readonly days: readonly Ms[]
  readonly entries: readonly { readonly tried: TriedVariant; readonly pnl: Float64Array }[]
}

const SHORTEST_MS = 12 * HOUR_MS

/**
 * Lays the daily PnL of all variants over the days of the first one. A first or last day of less than half a
 * day is no day of its own and goes to its neighbour, so that all days scatter alike.
 */
export function contestOf(tried: readonly TriedVariant[]): Contest {
  const [first] = tried
  if (first === undefined) return { days: [], entries: [] }
  const place = placesOf(first.result)
  const days = [...place].filter(([, at], index, all) => all[index - 1]?.[1] !== at).map(([day]) => day)
  const entries = tried.map((one) => {
    const { day, pnlUsd } = one.result.daily
    const pnl = new Float64Array(days.length)
    day.forEach((at, index) => {
      const to = place.get(at)
      if (to !== undefined) pnl[to] = (pnl[to] ?? 0) + (pnlUsd[index] ?? 0)
    })
    return { tried: one, pnl }
  })
  return { days, entries }
}

/** To which of the contest's days each UTC day of a run goes. */
function placesOf({ from, to, daily: { day: days } }: VariantResult): ReadonlyMap<Ms, number> {
  const last = days.length - 1
  const headIsShort = last > 0 && (days[0] ?? 0) + DAY_MS - from < SHORTEST_MS
  const tailIsShort = last > (headIsShort ? 1 : 0) && to - (days[last] ?? 0) < SHORTEST_MS
  return new Map(
    days.map((day, index) => {
      const whole = tailIsShort && index === last ? index - 1 : index
      return [day, Math.max(0, whole - (headIsShort ? 1 : 0))]
    }),
  )
}
