/**
 * A half-spread around the fair value, with a skew against the inventory imbalance.
 *
 * Idea: the venue's mid is yesterday's average, so the true rate has moved on. While the feeds show dollars worth g bps more than
 * the mid, the strategy sells them at a wider spread and buys them at a narrower one; the imbalance d runs from -1 (all
 * shillings) through 0 (on target) to +1 (all dollars):
 *   bid = halfSpreadBps - maxSkewBps * d + g        ask = halfSpreadBps + maxSkewBps * d - g
 * with g = feedWeight * (fair value less mid), at most maxShiftBps either way. Without a live feed g is 0.
 * Parameters:
 *   halfSpreadBps  half-spread on target while fair value and mid agree, 10..500
 *   maxSkewBps     skew at |d| = 1, 0..490; what falls outside 10..500 is clamped by risk
 *   feedWeight     how much of the feed's distance from the mid is believed, 0..1
 *   maxShiftBps    the largest shift, 0..490
 * WHEN IT LOSES: when the feed is wrong: its error is given away on every fill, and a feed that repeats an old figure moves the
 * quotes the wrong way. In a calm market the shift follows the noise of the feed and earns less than inventory-skew.
 */
import { defineStrategy, z } from '#kit'

export default defineStrategy({
  name: 'fair-value-skew',
  params: z.strictObject({
    halfSpreadBps: z.number().min(10).max(500).default(45),
    maxSkewBps: z.number().min(0).max(490).default(60),
    feedWeight: z.number().min(0).max(1).default(0.8),
    maxShiftBps: z.number().min(0).max(490).default(300),
  }),
  init: () => ({}),
  quote({ fairValue, mid, inventory }, _state, { halfSpreadBps, maxSkewBps, feedWeight, maxShiftBps }) {
    const believed = feedWeight * 1e4 * (fairValue.tzsPerUsd / mid - 1)
    const shift = Math.min(maxShiftBps, Math.max(-maxShiftBps, believed))
    const skew = maxSkewBps * inventory.deviation
    return {
      bidBps: halfSpreadBps - skew + shift,
      askBps: halfSpreadBps + skew - shift,
      because: [
        `half-spread ${halfSpreadBps}, skew ${skew.toFixed(1)} for the inventory, shift ${shift.toFixed(1)} for the fair value`,
      ],
    }
  },
})
