/**
 * A strategy for the latency bench: every new mid is another spread, so that a PATCH shows when it was seen.
 *
 * Idea: none. The spread is 20 to 49 bps, told by the whole shillings of the mid; two mids that differ by
 * 2 to 28 shillings ask for spreads that differ by 2 bps or more, which is over the requote threshold.
 * Parameters: none.
 * WHEN IT LOSES: always in the long run; it quotes a number that has nothing to do with the market.
 */
import { defineStrategy, z } from '#kit'

const LOWEST_BPS = 20
const SPREADS = 30

export default defineStrategy({
  name: 'mid-follower',
  params: z.strictObject({}),
  init: () => ({}),
  quote({ mid }) {
    const bps = LOWEST_BPS + (Math.floor(mid) % SPREADS)
    return { bidBps: bps, askBps: bps, reasons: [`mid ${mid}`] }
  },
})
