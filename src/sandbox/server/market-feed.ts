import fastify from 'fastify'
import { rateToNumber } from '../../money/rate.ts'
import type { VenueModel } from '../model.ts'
import type { VenueClock } from './venue-clock.ts'

export type MarketFeed = { readonly url: string; readonly close: () => Promise<void> }

const RATE_PATH = '/rates'

/**
 * Another source of the rate than the venue, on a port of its own, as a bank's board is: the simulated
 * market's own rate, which the venue publishes a day late. A world without one shows the venue's mid.
 */
export async function startMarketFeed(
  port: number,
  model: VenueModel,
  clock: VenueClock,
): Promise<MarketFeed> {
  const app = fastify({ forceCloseConnections: true })
  app.get(RATE_PATH, () => {
    const { world, mid } = model.state
    const rate = world.marketRateAt?.(clock.now()) ?? mid
    return { base: 'USD', rates: { TZS: rateToNumber(rate) } }
  })
  const url = await app.listen({ host: '127.0.0.1', port })
  return { url: `${url}${RATE_PATH}`, close: () => app.close() }
}
