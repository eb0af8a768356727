import { STABLE_ASSETS } from '../../../base/money/asset.ts'
import type { PnlState } from './accrual.ts'
import type { BookState } from './book.ts'
import type { Stretch } from './stretch.ts'
import type { Tzs36 } from './value.ts'

/** The start of a stretch of marks, as doubles. */
type Beginning = {
  readonly from: number
  readonly dollars: number
  readonly total: number
  readonly peak: number
}

/** Derived from a book and its stretch, during which no units moved. Not part of a state. */
const beginnings = new WeakMap<Stretch, Beginning>()

/** 2^-48: thirty-two times what one rounding changes. */
const THIRTY_TWO_ULPS = 2 ** -48

/**
 * Returns whether the loss since the opening and the drawdown are certainly within their limits (null = off). True is proven;
 * false leaves the decision to the settled sums. A limit that is far away therefore settles no mark.
 *
 * With T the total at the mark `from` of the settled book, U the dollars and M the mark, the total is T + U (M - from). Its
 * peak is the larger of the peak P so far and T + U (B - from), where B is the highest mark of the stretch (the lowest if the
 * dollars are negative). Each of these numbers is rounded once to a double, and six operations follow: the total error is below
 * 16 u (|T| + |P| + |U| (M + from + B)), u = 2^-53. A figure must stay below its limit by twice that error plus twice the
 * rounding of the limit.
 */
export function isLossSurelyWithin(
  book: BookState,
  maxLossTzs: Tzs36 | null,
  maxDrawdownTzs: Tzs36 | null,
): boolean {
  const pnl = book.pnl as PnlState
  const { mark, stretch } = pnl
  if (mark === null) return false
  if (stretch === undefined) {
    const { totalTzs, peakTzs } = pnl
    return (
      (maxLossTzs === null || -totalTzs <= maxLossTzs) &&
      (maxDrawdownTzs === null || peakTzs - totalTzs <= maxDrawdownTzs)
    )
  }
  const { from, dollars, total, peak } = beginningOf(stretch, book, pnl)
  const at = Number(mark)
  const best = Number(dollars > 0 ? stretch.highest : stretch.lowest)
  const now = total + dollars * (at - from)
  const highest = Math.max(peak, total + dollars * (best - from))
  const size = Math.abs(total) + Math.abs(peak) + Math.abs(dollars) * (at + from + best)
  const isSmaller = (figure: number, limit: number): boolean =>
    figure + (size + Math.abs(limit)) * THIRTY_TWO_ULPS <= limit
  return (
    (maxLossTzs === null || isSmaller(-now, Number(maxLossTzs))) &&
    (maxDrawdownTzs === null || isSmaller(highest - now, Number(maxDrawdownTzs)))
  )
}

function beginningOf(stretch: Stretch, { accounts: { pool, wallet } }: BookState, pnl: PnlState): Beginning {
  const known = beginnings.get(stretch)
  if (known !== undefined) return known
  let dollars = 0n
  for (const asset of STABLE_ASSETS) dollars += pool[asset] + wallet[asset]
  const beginning = {
    from: Number(stretch.from),
    dollars: Number(dollars),
    total: Number(pnl.totalTzs),
    peak: Number(pnl.peakTzs),
  }
  beginnings.set(stretch, beginning)
  return beginning
}
