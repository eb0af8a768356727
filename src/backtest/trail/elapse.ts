import type { Ms } from '../../base/time.ts'
import type { TrailState } from './trail-state.ts'

/** Time goes on to `t` with everything as it is: adds to all that is weighted by time. */
export function elapse(state: TrailState, t: Ms): void {
  const passed = t - state.t
  // Nothing at equal times, and nothing before the opening (NaN).
  if (!(passed > 0)) return
  const { time, held, expected, bid, ask, otherBid, otherAsk } = state
  const { toleranceBps } = state.settings
  state.hourly.until(t, held.q)
  if (state.moves > 0) state.timedMarkouts.until(t, state.fair)
  state.deviation.hold(Math.abs(held.q), passed)
  expected.fills += expected.perMs * passed
  if (state.atLimit) time.atLimit += passed
  if (!Number.isNaN(bid)) time.bid += passed
  if (!Number.isNaN(ask)) time.ask += passed
  if (!Number.isNaN(otherBid)) {
    time.bidKnown += passed
    // A side that is off (NaN) is not within anything.
    if (bid <= otherBid + toleranceBps) time.bidBest += passed
  }
  if (!Number.isNaN(otherAsk)) {
    time.askKnown += passed
    if (ask <= otherAsk + toleranceBps) time.askBest += passed
  }
  state.t = t
}

/** The age times time of something that was new at `since`, up to `t`. */
export function agedBy(since: Ms, t: Ms): number {
  return t > since ? ((t - since) * (t - since)) / 2 : 0
}
