import { DAY_MS, type Ms } from '../../../base/time.ts'
import type { PnlTerm } from '../../../core/ledger/book/pnl.ts'
import type { Usd54 } from '../../../core/ledger/book/value.ts'

/** One UTC day of a run, or the part that the run covers. */
export type DayRow = {
  /** First moment of the day; start and end of the row. */
  readonly day: Ms
  readonly from: Ms
  readonly to: Ms
  readonly pnlUsd: number
  readonly turnoverUsd: number
  readonly fills: number
  /** Share of the time; NaN if the run ends with the day's first moment. */
  readonly bid: number
  readonly ask: number
  /** TZS per USD at the end, equal for every strategy over the same tape. */
  readonly fair: number
  /** The PnL minus what the opening position would have gained without trading; 0 without trades. */
  readonly lessHoldingUsd: number
  readonly reach: Reach
  /** Running sums of the PnL's terms at the end, TZS and dollars. */
  readonly terms: Readonly<Record<PnlTerm, number>>
  readonly termsUsd: Readonly<Record<UsdTerm, number>>
}

/** The way of the value within a day, at each fill and mark: the most above and below its start (down <= 0), and the deepest fall. */
export type Reach = { readonly up: number; readonly down: number; readonly fall: number }

/** Follows the value of the position through the days. */
export function createReach() {
  // Doubles in an object change in place; those that a closure captures are allocated at each write.
  const day = { start: 0, high: 0, low: 0, fall: 0 }
  const begin = (value: number): void => {
    day.start = day.high = day.low = value
    day.fall = 0
  }
  return {
    begin,
    add(value: number): void {
      day.high = Math.max(day.high, value)
      day.low = Math.min(day.low, value)
      day.fall = Math.max(day.fall, day.high - value)
    },
    /** Restates the day so far, because a change of the fair value's source is no gain. */
    shift(by: number): void {
      day.start += by
      day.high += by
      day.low += by
    },
    /** Ends the day, and begins the next one at this value. */
    end(value: number): Reach {
      const reach = { up: day.high - day.start, down: day.low - day.start, fall: day.fall }
      begin(value)
      return reach
    },
  }
}

/** The terms of the identity in dollars; the edge includes spread capture and stale mid. */
const USD_TERMS = ['edge', 'inventory', 'costs', 'unreconciled'] as const
export type UsdTerm = (typeof USD_TERMS)[number]

/** Running totals at the end of a day. */
export type DayEnd = Pick<DayRow, 'terms' | 'termsUsd' | 'fair' | 'reach'> & {
  readonly totalUsd54: Usd54
  /** Gain from holding the opening position. */
  readonly holdingUsd54: Usd54
  readonly turnover18: bigint
  readonly fills: number
  readonly bidMs: Ms
  readonly askMs: Ms
}

type Begin = Pick<DayEnd, 'totalUsd54' | 'turnover18' | 'fills' | 'bidMs' | 'askMs' | 'holdingUsd54'> & {
  readonly at: Ms
}

/** Divides running sums into days, one row per day. */
export function createDayRows() {
  const rows: DayRow[] = []
  const nothing = { totalUsd54: 0n, turnover18: 0n, fills: 0, bidMs: 0, askMs: 0, holdingUsd54: 0n }
  let begin: Begin = { at: 0, ...nothing }
  let before: Begin = begin
  return {
    begin(t: Ms): void {
      begin = { at: t, ...nothing }
      before = begin
    },
    /** Ends the day at `t`. An empty row without a fill joins the previous day. */
    end(t: Ms, sums: DayEnd): void {
      const isDay = t > begin.at || sums.fills > begin.fills
      if (isDay) before = begin
      const last = isDay ? undefined : rows.pop()
      rows.push(
        rowOf(before, t, last === undefined ? sums : { ...sums, reach: joinedReach(last, sums.reach) }),
      )
      const { totalUsd54, turnover18, fills, bidMs, askMs, holdingUsd54 } = sums
      begin = { at: t, totalUsd54, turnover18, fills, bidMs, askMs, holdingUsd54 }
    },
    rows: (): readonly DayRow[] => rows,
  }
}

function rowOf(begin: Begin, to: Ms, sums: DayEnd): DayRow {
  const gained = sums.totalUsd54 - begin.totalUsd54
  const share = (ms: Ms): number => (to > begin.at ? ms / (to - begin.at) : Number.NaN)
  return {
    day: Math.floor(begin.at / DAY_MS) * DAY_MS,
    from: begin.at,
    to,
    pnlUsd: Number(gained) / 1e54,
    lessHoldingUsd: Number(gained - (sums.holdingUsd54 - begin.holdingUsd54)) / 1e54,
    turnoverUsd: Number(sums.turnover18 - begin.turnover18) / 1e18,
    fills: sums.fills - begin.fills,
    bid: share(sums.bidMs - begin.bidMs),
    ask: share(sums.askMs - begin.askMs),
    fair: sums.fair,
    reach: sums.reach,
    terms: sums.terms,
    termsUsd: sums.termsUsd,
  }
}

/** Every UTC day of a run in order, by columns of equal length, including days without fills. */
export type DailyResults = Readonly<
  Record<'day' | 'pnlUsd' | 'lessHoldingUsd' | 'turnoverUsd' | 'fills', readonly number[]>
>

/** PnL of a day, including a short first or last day joined to it, and when it ended. */
export type WholeDay = Pick<DayRow, 'to' | 'pnlUsd' | 'lessHoldingUsd' | 'reach'>

const SHORTEST_MS = 12 * 3_600_000

export function dailyResults(rows: readonly DayRow[]): DailyResults {
  return {
    day: rows.map(({ day }) => day),
    pnlUsd: rows.map(({ pnlUsd }) => pnlUsd),
    lessHoldingUsd: rows.map(({ lessHoldingUsd }) => lessHoldingUsd),
    turnoverUsd: rows.map(({ turnoverUsd }) => turnoverUsd),
    fills: rows.map(({ fills }) => fills),
  }
}

/** Returns days for statistics; joins a first or last day under 12 h to its neighbour, for comparable variances. */
export function wholeDays(rows: readonly DayRow[]): readonly WholeDay[] {
  const days = rows.map(({ from, to, pnlUsd, lessHoldingUsd, reach }) => ({
    from,
    to,
    pnlUsd,
    lessHoldingUsd,
    reach,
  }))
  const [first, second] = days
  if (first !== undefined && second !== undefined && isStump(first)) days.splice(0, 2, joined(first, second))
  const [beforeLast, last] = days.slice(-2)
  if (beforeLast !== undefined && last !== undefined && isStump(last))
    days.splice(-2, 2, joined(beforeLast, last))
  return days
}

type Stretch = WholeDay & Pick<DayRow, 'from'>

function joined(first: Stretch, next: Stretch): Stretch {
  return {
    from: first.from,
    to: next.to,
    pnlUsd: first.pnlUsd + next.pnlUsd,
    lessHoldingUsd: first.lessHoldingUsd + next.lessHoldingUsd,
    reach: joinedReach(first, next.reach),
  }
}

type Way = Pick<WholeDay, 'pnlUsd' | 'reach'>

function joinedReach({ pnlUsd, reach }: Way, next: Reach): Reach {
  return {
    up: Math.max(reach.up, pnlUsd + next.up),
    down: Math.min(reach.down, pnlUsd + next.down),
    fall: Math.max(reach.fall, next.fall, reach.up - (pnlUsd + next.down)),
  }
}

/** Returns the deepest fall of the value over the days in this order, at each fill and mark. */
export function deepestFall(days: readonly Way[], order: ArrayLike<number>): number {
  let [pnlUsd, up, fall] = [0, 0, 0]
  for (let i = 0; i < order.length; i++) {
    const { reach, pnlUsd: ofDay } = days[order[i]!]!
    fall = Math.max(fall, reach.fall, up - (pnlUsd + reach.down))
    up = Math.max(up, pnlUsd + reach.up)
    pnlUsd += ofDay
  }
  return fall
}

function isStump({ from, to }: { readonly from: Ms; readonly to: Ms }): boolean {
  return to - from < SHORTEST_MS
}
