import type { Ms } from '../../../base/time.ts'
import type { RecorderState } from './state.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { RecordedFill } from '../recorder.ts'

/** Advances to `t` with no state change, adding the elapsed time to every time-weighted sum. */
export function elapse(state: RecorderState, t: Ms): void {
  const passed = t - state.t
  // False for equal times and before the opening (NaN).
  if (!(passed > 0)) return
  settleUpdate(state)
  const { time, held, expected, bid, ask, otherBid, otherAsk } = state
  const { toleranceBps } = state.settings
  state.hourly.until(t, held.q)
  if (state.moves > 0) state.timedMarkouts.until(t, state.fair)
  state.deviation.hold(Math.abs(held.q), passed)
  expected.fills += expected.perMs * passed
  if (state.atLimit) time.atLimit += passed
  time.dollars += held.dollars * passed
  time.tzs += held.tzs * passed
  if (!Number.isNaN(bid)) time.bid += passed
  if (!Number.isNaN(ask)) time.ask += passed
  if (!Number.isNaN(otherBid)) {
    time.bidKnown += passed
    // A side that is off (NaN) is never within the tolerance.
    if (bid <= otherBid + toleranceBps) time.bidBest += passed
  }
  if (!Number.isNaN(otherAsk)) {
    time.askKnown += passed
    if (ask <= otherAsk + toleranceBps) time.askBest += passed
  }
  state.t = t
}

/** After all rows of a moment, values everything before its rate update at the fair value that it left. */
export function settleUpdate(state: RecorderState): void {
  if (!state.hasUpdate) return
  state.hasUpdate = false
  state.printMarkouts.print(state.fair)
}

/** Returns the time integral up to `t` of the age of something that was new at `since`. */
export function agedBy(since: Ms, t: Ms): number {
  return t > since ? ((t - since) * (t - since)) / 2 : 0
}

/** Sets S and M. */
export function setRates(state: RecorderState, mid: Rate, fair: Rate): void {
  if (mid !== state.midRate) {
    state.midRate = mid
    state.mid = Number(mid) / 1e18
  }
  if (fair !== state.fairRate) {
    state.fairRate = fair
    state.fair = fair === mid ? state.mid : Number(fair) / 1e18
  }
  if (mid !== fair) state.hasFair = true
}

/** Adds a fill: its edge against the fair value, and our new holdings. Keeps sums, not the fill. */
export function onFill(state: RecorderState, fill: RecordedFill): void {
  settleUpdate(state)
  const { held, fills } = state
  const { dollars18, synthetic } = fill
  const isBid = fill.side === 'bid'
  const dollars = Number(dollars18) / 1e18
  const shillings = Number(fill.shillings) / 1e18
  const usd = Math.abs(dollars)
  const weight = usd * state.fair
  const edge = shillings + dollars * state.fair
  exposeUntil(state, state.t)

  // A million fills of a position of 10^8 TZS drift by less than a thousandth of a shilling in these sums.
  held.dollars += dollars
  held.tzs += shillings

  fills.turnover18 = dollars18 < 0n ? fills.turnover18 - dollars18 : fills.turnover18 + dollars18
  if (isBid) fills.bid += 1
  else fills.ask += 1
  fills.weight += weight
  fills.postedWeight += weight * fill.bps
  fills.edge += Math.abs(edge)
  if (synthetic) {
    fills.synthetic += 1
    fills.syntheticEdge += Math.abs(edge)
  }

  state.edge.add(state.prints, edge, weight, 1)
  state.split.add(fill, usd, edge, weight)
  state.printMarkouts.fill(dollars, shillings, weight, state.fair)
  if (state.moves > 0) state.timedMarkouts.fill(state.t, state.prints, dollars, shillings, weight)
  state.size.add(usd)
  state.sample.add(
    state.t,
    usd > 0 ? Math.abs(shillings) / usd : Number.NaN,
    usd,
    weight > 0 ? (1e4 * edge) / weight : Number.NaN,
    isBid,
    synthetic,
  )
  state.spreads?.fill(fill.bps)
  revalue(state)
}

/** Updates inventory, equity and drawdown after a fill or a mark. */
export function revalue(state: RecorderState): void {
  const { held, fair, settings } = state
  held.value = held.dollars + held.tzs / fair
  held.q = held.dollars - settings.target * held.value
  if (held.value > held.peak) held.peak = held.value
  const fall = held.peak - held.value
  if (fall > held.worstFall) {
    held.worstFall = fall
    held.fellFrom = held.peak
  }
  state.reach.add(held.value)
  state.equity.add(state.t, held.value)
  state.falls.add(state.t, fall)
  noteLimit(state)
}

/**
 * Updates whether we are at a limit: a side could not pay the median taker so far, or only the side is quoted that
 * leads further from the target.
 */
export function noteLimit(state: RecorderState): void {
  const { held, mid, size } = state
  const usual = size.value
  const bidIsOff = Number.isNaN(state.bid)
  const askIsOff = Number.isNaN(state.ask)
  // A bid pays out dollars, an ask shillings; an empty pool pays no taker.
  const cannotPay = held.dollars < usual || held.dollars <= 0 || held.tzs < usual * mid || held.tzs <= 0
  const holdsBack = (held.q > 0 && askIsOff && !bidIsOff) || (held.q < 0 && bidIsOff && !askIsOff)
  state.atLimit = cannotPay || holdsBack
}

/**
 * Adds the exposure of the current quote up to `t`; call it before the quote changes. As in a calibration, a side that
 * cannot pay the median taker so far has no exposure.
 */
export function exposeUntil(state: RecorderState, t: Ms): void {
  const { spreads, openedAt } = state
  if (spreads === null || Number.isNaN(openedAt)) return
  const { routed, bid, ask, held, mid, size } = state
  const usual = size.value
  const bidShare = held.dollars > usual ? routed.bid : 0
  const askShare = held.tzs > usual * mid ? routed.ask : 0
  spreads.stood(t, openedAt, [bid, bidShare, ask, askShare])
}
