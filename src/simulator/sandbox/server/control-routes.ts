import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errorText } from '../../../base/result.ts'
import { DAY_MS } from '../../../base/time.ts'
import { ASSETS, parseTokens } from '../../../base/money/asset.ts'
import type { VenueChain } from '../chain/connect-chain.ts'
import { FILL_SOURCES } from '../market/measured-price.ts'
import type { VenueModel } from '../model.ts'
import { describePartners } from '../partner/control/describe.ts'
import { addChainRoutes } from './chain-routes.ts'
import { describeState } from './describe-state.ts'
import { addPartnerRoutes } from './partner-routes.ts'
import type { VenueClock } from './venue-clock.ts'

/** A year at most: what lies in between is played out, swap by swap. */
const Advance = z.strictObject({
  ms: z
    .number()
    .min(0)
    .max(366 * DAY_MS),
})
const Swap = z.strictObject({
  from: z.enum(ASSETS),
  to: z.enum(ASSETS),
  amount: z.string(),
  taker: z.string().optional(),
  /** The two of the measured venue. */
  source: z.enum(FILL_SOURCES).optional(),
  slippageBps: z.int().min(0).max(9_999).optional(),
})

/**
 * The control API under /sandbox, without a key: what tests and demos do to the venue from outside.
 * Every call first lets the world happen up to now; a senseless one is a 400 with a sentence.
 */
export function addControlRoutes(
  app: FastifyInstance,
  model: VenueModel,
  clock: VenueClock,
  venueChain: VenueChain | null = null,
): void {
  const sync = () => model.advanceTo(clock.now())
  if (venueChain !== null) addChainRoutes(app, venueChain)
  addPartnerRoutes(app, model, sync)
  app.get('/sandbox/state', async () => {
    sync()
    await venueChain?.settle()
    const orders = await venueChain?.orders()
    return {
      ...describeState(model.state, orders ?? null),
      chain: venueChain?.chain.url ?? null,
      partner: describePartners(model.partner),
    }
  })
  app.post('/sandbox/advance', async (request, reply) => {
    const wanted = Advance.safeParse(request.body)
    if (!wanted.success) return reply.status(400).send({ error: z.prettifyError(wanted.error) })
    // The model first: anyone who waits for an activation must find it done when the clock wakes it.
    model.advanceTo(clock.now() + wanted.data.ms)
    clock.advance(wanted.data.ms)
    await venueChain?.chain.advance(wanted.data.ms)
    await venueChain?.settle()
    return { now: model.state.now }
  })
  app.post('/sandbox/inject', async (request, reply) => {
    sync()
    try {
      model.inject(request.body ?? {})
    } catch (error) {
      return reply.status(400).send({ error: sentenceOf(error) })
    }
    await venueChain?.settle()
    return { ok: true, now: model.state.now }
  })
  app.post('/sandbox/swap', (request, reply) => {
    sync()
    const wanted = Swap.safeParse(request.body)
    if (!wanted.success) return reply.status(400).send({ error: z.prettifyError(wanted.error) })
    const { amount, ...wish } = wanted.data
    const parsed = parseTokens(amount, wish.from)
    if (!parsed.ok) return reply.status(400).send({ error: `amount: ${parsed.error.message}` })
    const done = model.swap({ ...wish, amountIn: parsed.value })
    if (!done.ok) return { filled: false, reason: done.error }
    const ours = model.state.ours.fills.at(-1)?.id === done.value.id
    return { filled: true, ours, id: done.value.id, spreadBps: done.value.spreadBps }
  })
}

function sentenceOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error)
  return errorText(error)
}
