import { DAY_MS, type Ms } from '../../../base/time.ts'
import { pnl } from '../../ledger/book/pnl.ts'
import type { Usd54 } from '../../ledger/book/value.ts'
import type { EngineState } from '../model/state.ts'

/** What a UTC day has brought so far: PnL in dollars at 54 decimals, and the fills that were booked. */
type DayFigures = { readonly pnlUsd: Usd54; readonly fills: number }

/**
 * Keeps the figures with which a UTC day begins: those that its first event finds. It is called before each event;
 * `before` is the core's time until then. A daemon that did not run at midnight counts what it found to the day before.
 */
export function keepDayStart(state: EngineState, before: Ms): void {
  const day = Math.floor(state.now / DAY_MS)
  if (day !== Math.floor(before / DAY_MS)) state.flow.today = { day, ...figuresNow(state) }
}

/** What the UTC day of `now` has brought so far; null = a state of an older version, which does not have its start. */
export function dayFigures(state: EngineState, now: Ms): DayFigures | null {
  const day = Math.floor(now / DAY_MS)
  // Midnight has passed without an event: nothing was booked and no mark has moved since.
  if (day > Math.floor(state.now / DAY_MS)) return NOTHING
  const { pnlUsd, fills } = figuresNow(state)
  const { today } = state.flow
  if (today?.day === day) return { pnlUsd: pnlUsd - today.pnlUsd, fills: fills - today.fills }
  return Math.floor(state.startedAt / DAY_MS) === day ? { pnlUsd, fills } : null
}

const NOTHING: DayFigures = { pnlUsd: 0n, fills: 0 }

/** Before the first mark nothing is valued, and all PnL is of the time after it. */
function figuresNow({ book, flow }: EngineState): DayFigures {
  return { pnlUsd: pnl(book)?.usd.total ?? 0n, fills: flow.count.bid + flow.count.ask }
}
