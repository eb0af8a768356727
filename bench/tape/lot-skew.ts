/**
 * The strategy of the backtest's benches and of the comparison with its peers.
 *
 * Idea: 60 bps, and 2 more or less for every lot of 100 dollars that is held over or under the opening.
 * Parameters: `openingUsd`, the dollars at which both sides are equal; `oddMidBps`, what an odd mid adds to both sides,
 * so that a tape with a new mid in every row wants a PATCH in every row.
 * WHEN IT LOSES: whenever the mid moves against what it holds; it is here to be the same in every engine.
 */
import { defineStrategy, z } from '#kit'

export default defineStrategy({
  name: 'lot-skew',
  params: z.strictObject({ openingUsd: z.number().default(50_000), oddMidBps: z.number().default(0) }),
  init: () => ({}),
  quote(context, _state, { openingUsd, oddMidBps }) {
    const skew = 2 * Math.round((context.inventory.usd - openingUsd) / 100)
    // Only the quote that follows the mid reads it: an input that is read and not used makes every mid a question.
    const wide = oddMidBps === 0 ? 60 : 60 + oddMidBps * (Math.round(context.mid) % 2)
    return { bidBps: wide - skew, askBps: wide + skew, reasons: ['skew'] }
  },
})
