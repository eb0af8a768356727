/**
 * The same spread on both sides, whatever happens.
 *
 * Idea: stand still, earn the spread, let inventory go where takers push it.
 * Parameters:
 *   bidBps  what a taker who brings shillings pays us, 10..500
 *   askBps  what a taker who brings dollars pays us, 10..500
 * WHEN IT LOSES: whenever flow is one-sided (it buys the weaker currency all the way to the inventory
 * limit, and then earns nothing), whenever the mid lags the market (it sells dollars too cheap until the
 * next print), and whenever a competitor is narrower by more than the venue's tolerance (no fills at all).
 */
import { defineStrategy, z } from '#kit'

const spreadBps = z.int().min(10).max(500)

export default defineStrategy({
  name: 'fixed-spread',
  params: z.strictObject({ bidBps: spreadBps, askBps: spreadBps }),
  init: () => ({}),
  quote: (_context, _state, { bidBps, askBps }) => ({
    bidBps,
    askBps,
    because: [`fixed: bid ${bidBps}, ask ${askBps}`],
  }),
})
