/**
 * The same spread on both sides at all times.
 *
 * Idea: never requote, earn the spread, and let takers move the inventory.
 * Parameters:
 *   bidBps  the spread that a taker who brings shillings pays us, 10..500
 *   askBps  the spread that a taker who brings dollars pays us, 10..500
 * WHEN IT LOSES: whenever flow is one-sided: it buys the weaker currency all the way to the inventory limit, and
 * then earns nothing. Whenever the mid lags the market: it sells dollars too cheaply until the next rate update. It
 * gets no fills while a competitor is narrower by more than the venue's tolerance.
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
    reasons: [`fixed: bid ${bidBps}, ask ${askBps}`],
    terms: [{ name: 'half-spread', bidBps, askBps }],
  }),
})
