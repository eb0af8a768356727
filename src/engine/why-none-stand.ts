import { quoteShare } from '../pacing/is-allowed.ts'
import { maySend, maySendFrom } from '../pacing/may-send.ts'
import { nextSalt } from '../rfq/build-order.ts'
import { isStanding } from '../rfq/owed-order.ts'
import { corridorProblem, outstandingProblem, signableWishes } from '../rfq/signable-wishes.ts'
import type { RfqSettings } from '../rfq/rfq-settings.ts'
import type { EngineState } from './engine-state.ts'
import { fittingOrder } from './fitting-order.ts'
import { freeOfOrders } from './free-of-orders.ts'

/** An order that could be promised waits for its share of the key's requests; null = it is on its way. */
function whyNoRequest({ pacing, config, now }: EngineState): string | null {
  if (maySend(pacing, config.pacing, now, 'quote')) return null
  const { limit, used } = quoteShare(pacing, config.pacing, now)
  const from = maySendFrom(pacing, config.pacing, now, 'quote')
  return `the ladder had ${used} of its ${limit} requests of this minute, and the key's budget has no more for it; the next order goes in ${((from - now) / 1_000).toFixed(0)} s`
}

/**
 * Why no order stands where nothing forbids one, in a sentence: none is wanted, or none of the wanted ones
 * can be promised. Null = one stands, or is about to.
 */
export function whyNoneStand(state: EngineState, settings: RfqSettings): string | null {
  const { rfq, stance, orders, now } = state
  const { solver, venueOffsetMs } = orders
  const stands = Object.values(rfq.owed).some((owed) => isStanding(owed) && owed.cancel === null)
  if (stands || stance === null || solver === null) return null
  if (stance.orders.length === 0) return `none is wanted: ${stance.because.at(-1) ?? 'nobody says why'}`
  const parts = { settings, solver, salt: nextSalt(rfq.lastSalt, now), now, offsetMs: venueOffsetMs ?? 0 }
  const free = freeOfOrders(state, settings)
  const refusals: string[] = []
  const corridor = state.config.risk.priceCorridor ?? null
  for (const wish of stance.orders) {
    const [signable] = signableWishes([wish], corridor, settings)
    const order = signable === undefined ? null : fittingOrder(signable, parts, free)
    const problem =
      order === null
        ? (corridorProblem(wish, corridor) ?? 'it cannot be signed')
        : order.ok
          ? outstandingProblem(order.value, rfq, settings)
          : order.error
    if (problem === null) return whyNoRequest(state)
    refusals.push(problem)
  }
  return `none of the ${refusals.length} orders wanted can be promised; of the first, ${refusals[0]}`
}
