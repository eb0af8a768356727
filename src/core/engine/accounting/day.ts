import { DAY_MS, type Ms } from '../../../base/time.ts'
import { pnl } from '../../ledger/book/pnl.ts'
import type { Usd54 } from '../../ledger/book/value.ts'
import type { EngineState } from '../model/state.ts'

/** The figures of a UTC day so far: PnL in dollars at 54 decimals, and the number of booked fills. */
type DayFigures = { readonly pnlUsd: Usd54; readonly fills: number }

/**
 * Records the figures at the first event of a UTC day. Called before each event; `before` is the core's time until then. If the
 * daemon did not run at midnight, everything until its start counts for the day before.
 */
export function recordDayStart(state: EngineState, before: Ms): void {
  const day = Math.floor(state.now / DAY_MS)
  if (day !== Math.floor(before / DAY_MS)) state.flow.today = { day, ...figuresNow(state) }
}

/** Returns the figures of the UTC day of `now`; null = the state of an older version lacks the start of the day. */
export function dayFigures(state: EngineState, now: Ms): DayFigures | null {
  const day = Math.floor(now / DAY_MS)
  // No event since midnight, so nothing was booked and the mark has not moved.
  if (day > Math.floor(state.now / DAY_MS)) return NOTHING
  const { pnlUsd, fills } = figuresNow(state)
  const { today } = state.flow
  if (today?.day === day) return { pnlUsd: pnlUsd - today.pnlUsd, fills: fills - today.fills }
  return Math.floor(state.startedAt / DAY_MS) === day ? { pnlUsd, fills } : null
}

const NOTHING: DayFigures = { pnlUsd: 0n, fills: 0 }

/** Before the first mark nothing is valued, so the PnL is 0. */
function figuresNow({ book, flow }: EngineState): DayFigures {
  return { pnlUsd: pnl(book)?.usd.total ?? 0n, fills: flow.count.bid + flow.count.ask }
}
