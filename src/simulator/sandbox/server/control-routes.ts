import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { errorText } from '../../../base/result.ts'
import { DAY_MS } from '../../../base/time.ts'
import { ASSETS, parseTokens } from '../../../base/money/asset.ts'
import type { VenueChain } from '../chain/connect-chain.ts'
import { FILL_SOURCES } from '../market/measured-price.ts'
import type { VenueModel } from '../model.ts'
import { issueAgent } from '../partner/agents/agents.ts'
import {
  announceNext,
  type Controlled,
  fundWallet,
  patchSettings,
  payIn,
  setReceiver,
  setState,
} from '../partner/control/control.ts'
import { describePartners } from '../partner/control/describe.ts'
import { describeState } from './describe-state.ts'
import type { VenueClock } from './venue-clock.ts'

/** At most a year, which the venue simulates swap by swap. */
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
  /** The two sources of the measured venue. */
  source: z.enum(FILL_SOURCES).optional(),
  slippageBps: z.int().min(0).max(9_999).optional(),
})

/** A POST route whose body the schema reads. An invalid body is answered with 400 and a sentence. */
function post<S extends z.ZodType>(
  app: FastifyInstance,
  path: string,
  schema: S,
  run: (input: z.output<S>, reply: FastifyReply) => unknown,
): void {
  app.post(path, async (request, reply) => {
    const input = schema.safeParse(request.body ?? {})
    if (input.success) return run(input.data, reply)
    return reply.status(400).send({ error: z.prettifyError(input.error) })
  })
}

/**
 * The control API under /sandbox, without a key, by which tests and demos change the venue from outside. Every call first
 * brings the world up to now.
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
  post(app, '/sandbox/advance', Advance, async ({ ms }) => {
    // The model first: a request that waits for an activation must find it done when the clock wakes it.
    model.advanceTo(clock.now() + ms)
    clock.advance(ms)
    await venueChain?.chain.advance(ms)
    await venueChain?.settle()
    return { now: model.state.now }
  })
  app.post('/sandbox/inject', async (request, reply) => {
    sync()
    try {
      model.inject(request.body ?? {})
    } catch (error) {
      const sentence = error instanceof z.ZodError ? z.prettifyError(error) : errorText(error)
      return reply.status(400).send({ error: sentence })
    }
    await venueChain?.settle()
    return { ok: true, now: model.state.now }
  })
  post(app, '/sandbox/swap', Swap, ({ amount, ...wish }, reply) => {
    sync()
    const parsed = parseTokens(amount, wish.from)
    if (!parsed.ok) return reply.status(400).send({ error: `amount: ${parsed.error.message}` })
    const done = model.swap({ ...wish, amountIn: parsed.value })
    if (!done.ok) return { filled: false, reason: done.error }
    const ours = model.state.ours.fills.at(-1)?.id === done.value.id
    return { filled: true, ours, id: done.value.id, spreadBps: done.value.spreadBps }
  })
}

const Target = z.object({ kind: z.string(), id: z.string(), state: z.string() })

const PARTNER_CALLS = {
  settings: patchSettings,
  next: announceNext,
  pay: payIn,
  fund: fundWallet,
  webhooks: setReceiver,
}

/** The part of the control API that changes the partner API. */
function addPartnerRoutes(app: FastifyInstance, model: VenueModel, sync: () => void): void {
  const send = (reply: FastifyReply, done: Controlled) =>
    done.ok
      ? reply.send({ ok: true, now: model.state.now })
      : reply.status(done.error.status).send({ error: done.error.sentence, code: done.error.code })
  for (const [name, call] of Object.entries(PARTNER_CALLS)) {
    app.post(`/sandbox/partner/${name}`, (request, reply) => {
      sync()
      return send(reply, call(model.partner, request.body))
    })
  }
  app.post('/sandbox/partner/agents', (request, reply) => {
    sync()
    const issued = issueAgent(model.partner, request.body)
    return issued.ok ? reply.send(issued.value) : reply.status(issued.error.status).send(issued.error.body)
  })
  app.post('/sandbox/partner/:kind/:id/:state', (request, reply) => {
    sync()
    return send(reply, setState(model.partner, Target.parse(request.params), request.body))
  })
}

const Fill = z.strictObject({
  orderHash: z.string(),
  /** Base units of the taker's token; default: the unfilled rest. */
  takerAmount: z
    .string()
    .regex(/^[0-9]{1,39}$/)
    .optional(),
})
const Mine = z.strictObject({ blocks: z.int().min(1).max(10_000).default(1) })

/** The part of the control API that changes the chain beneath the venue. */
function addChainRoutes(app: FastifyInstance, { chain, fill, settle }: VenueChain): void {
  post(app, '/sandbox/chain/fill', Fill, async ({ orderHash, takerAmount }, reply) => {
    const amount = takerAmount === undefined ? null : BigInt(takerAmount)
    const done = await fill(orderHash, amount).catch(() => null)
    if (done === null) return reply.status(503).send({ error: 'the chain does not answer' })
    if (done === 'unknown-order') return reply.status(404).send({ error: `no order ${orderHash} was taken` })
    if (!done.ok) return { filled: false, ...done.error }
    const { txHash, takerAmount: taken, makerAmount: given } = done.value
    return { filled: true, txHash, takerAmount: taken.toString(), makerAmount: given.toString() }
  })
  post(app, '/sandbox/chain/mine', Mine, async ({ blocks }) => {
    await chain.mine(blocks)
    await settle()
    return { block: Number(await chain.client.getBlockNumber()) }
  })
  post(app, '/sandbox/chain/advance', Advance, async ({ ms }) => {
    await chain.advance(ms)
    await settle()
    return { now: await chain.now() }
  })
}
