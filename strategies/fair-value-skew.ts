/**
 * A half-spread around the fair value, with a skew against the inventory imbalance.
 *
 * Idea: the venue's mid is yesterday's average, so the true rate has moved on. While dollars are worth g bps more than the mid, the
 * strategy sells them at a wider spread and buys them at a narrower one. It also skews against the imbalance d:
 *   bid = halfSpreadBps - maxSkewBps * d + g        ask = halfSpreadBps + maxSkewBps * d - g
 * where |g| is at most maxShiftBps. With estimate: filter, g is context.fairShift. It weighs each feed by its error and its age,
 * and uses the updates of the mid if no feed is usable. With estimate: feed, g is feedWeight times the distance of the feeds from
 * the mid, and 0 without a live feed.
 * Parameters:
 *   halfSpreadBps  half-spread on target while fair value and mid agree, 10..500
 *   maxSkewBps     skew at |d| = 1, 0..490; risk clamps spreads outside 10..500
 *   estimate       source of g, filter or feed; on training seeds filter earns more, with or without a feed
 *   feedWeight     with feed: weight of the feed's distance from the mid, 0..1
 *   maxShiftBps    the largest shift, 0..490
 * WHEN IT LOSES: if the feed is wrong. Every fill loses the feed's error, and a feed that repeats an old figure moves the quotes
 * the wrong way. In a calm market the shift follows the noise of the feed and earns less than inventory-skew.
 */
import { defineStrategy, type StrategyContext, z } from '#kit'

export default defineStrategy({
  name: 'fair-value-skew',
  params: z.strictObject({
    halfSpreadBps: z.number().min(10).max(500).default(45),
    maxSkewBps: z.number().min(0).max(490).default(60),
    estimate: z.enum(['feed', 'filter']).default('filter'),
    feedWeight: z.number().min(0).max(1).default(0.8),
    maxShiftBps: z.number().min(0).max(490).default(300),
  }),
  init: () => ({}),
  quote(context, _state, { halfSpreadBps, maxSkewBps, estimate, feedWeight, maxShiftBps }) {
    const { gap, why } = estimate === 'filter' ? byFilter(context) : byFeed(context, feedWeight)
    const shift = Math.min(maxShiftBps, Math.max(-maxShiftBps, gap))
    const skew = maxSkewBps * context.inventory.imbalance
    return {
      bidBps: halfSpreadBps - skew + shift,
      askBps: halfSpreadBps + skew - shift,
      reasons: [
        `half-spread ${halfSpreadBps}, skew ${skew.toFixed(1)} for the inventory, shift ${shift.toFixed(1)} for the fair value`,
        ...why,
      ],
      terms: [
        { name: 'half-spread', bidBps: halfSpreadBps, askBps: halfSpreadBps },
        { name: 'inventory', bidBps: -skew, askBps: skew },
        { name: 'fair value', bidBps: shift, askBps: -shift },
      ],
    }
  },
})

/** Fair value of a dollar above the mid, in bps, and the source of the estimate. */
type Gap = { readonly gap: number; readonly why: readonly string[] }

function byFilter({ fairShift: { bps, reasons } }: StrategyContext): Gap {
  // Include the total only: the rest contains ages, which would change the reasons on every decision.
  return { gap: bps, why: reasons.slice(0, 1) }
}

function byFeed({ fairValue, mid }: StrategyContext, feedWeight: number): Gap {
  return { gap: feedWeight * 1e4 * (fairValue.tzsPerUsd / mid - 1), why: [] }
}
