/**
 * A half-spread that follows the trend of the mid and leans against the inventory.
 *
 * Idea: while the mid is above its moving average, dollars are likely to rise: sell them wider and buy them narrower.
 * Parameters:
 *   halfSpreadBps  the spread on both sides without a trend and on the inventory target, 10..250
 *   maxSkewBps     what is added on one side and taken off the other when all is one currency, 0..200
 *   trendShare     share of the distance between the mid and its average that moves the quote, 0..2
 *   halfLifeHours  time in which a new mid moves the average half of the way
 * Until the average has run for an hour the quote follows no trend: the first mids of a start may come from two sources.
 * WHEN IT LOSES: replace this line with the markets in which it loses.
 */
import { defineStrategy, ema, z, type Ema } from '#kit'

type Params = { halfSpreadBps: number; maxSkewBps: number; trendShare: number; halfLifeHours: number }

/** Time before the average counts. */
const WARM_UP_MS = 3_600_000

export default defineStrategy<Params, { average: Ema | null; since: number | null }>({
  name: 'trend',
  params: z.strictObject({
    halfSpreadBps: z.number().min(10).max(250).default(60),
    maxSkewBps: z.number().min(0).max(200).default(80),
    trendShare: z.number().min(0).max(2).default(0.5),
    halfLifeHours: z.number().positive().max(1_000).default(24),
  }),
  // Plain data: it is part of the snapshot, and is restored after a restart.
  init: () => ({ average: null, since: null }),
  quote({ now, mid, inventory: { imbalance } }, state, params) {
    state.since ??= now
    // A mid that takes over from another source is no trend: the average begins anew until it has run for an hour.
    if (now - state.since < WARM_UP_MS) state.average = null
    state.average = ema(state.average, now, mid, params.halfLifeHours * 3_600_000)
    const trendBps = 1e4 * (mid / state.average.value - 1)
    // Imbalance: -1 = all shillings, 0 = on target, +1 = all dollars.
    const shift = params.trendShare * trendBps - params.maxSkewBps * imbalance
    return {
      bidBps: params.halfSpreadBps + shift,
      askBps: params.halfSpreadBps - shift,
      reasons: [`mid ${trendBps.toFixed(1)} bps above its average: shift ${shift.toFixed(1)}`],
      // Drawn in the report of a backtest.
      plot: { average: state.average.value, shift },
    }
  },
})
