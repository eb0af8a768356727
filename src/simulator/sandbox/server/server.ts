import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { SimulatedRequest } from '../api/request.ts'
import { recoverOrderSigner } from '../api/signed-order.ts'
import { SIMULATION_HEADER } from '../../../base/http/answer.ts'
import { rateToNumber } from '../../../base/money/rate.ts'
import { connectChain, type VenueChain } from '../chain/connect-chain.ts'
import { type ChainOptions, startChain, type StartedChain } from '../chain/start-chain.ts'
import { createVenueModel, type VenueModel } from '../model.ts'
import { type SandboxOptions, type SandboxOptionsInput, SandboxOptionsSchema } from '../options.ts'
import type { World } from '../world/world.ts'
import { addControlRoutes } from './control-routes.ts'
import { sendAnswer } from './send-answer.ts'
import { startWebhooks } from './post-webhooks.ts'
import { createVenueClock, type VenueClock } from './venue-clock.ts'

export type SandboxServer = {
  /** `http://127.0.0.1:PORT`; the LP API is under /api/v1/mm, the control API under /sandbox. */
  readonly url: string
  /** The URL of the market's own rate; null = not served. */
  readonly feedUrl: string | null
  /** The venue itself, as of the last request: `advanceTo` or any control call advances it to now. */
  readonly model: VenueModel
  /** Cuts every connection, also hung ones. */
  close(): Promise<void>
}

/**
 * Starts the simulated venue over real HTTP on loopback. Time is virtual (`speed`), also in the Date header; only
 * request limits use the wall clock, like the caller's own budget. With a chain, which the caller closes afterwards,
 * the real exchange contract validates orders, and the wallet is on that chain.
 */
export async function startSandbox(
  input: SandboxOptionsInput = {},
  world?: World,
  chain?: StartedChain,
): Promise<SandboxServer> {
  const parsed = SandboxOptionsSchema.parse(input)
  if (chain !== undefined && parsed.startMs !== null) throw new Error('on a chain the time is now: no start')
  const startMs = parsed.startMs ?? Date.now()
  const model = createVenueModel({ ...parsed, startMs }, world)
  const clock = createVenueClock(startMs, parsed.speed, () => performance.now())
  const app = fastify({ forceCloseConnections: true, bodyLimit: 1_048_576 })
  acceptAnyBody(app)
  app.addHook('onRequest', async (_, reply) => void reply.header(SIMULATION_HEADER, paceText(parsed)))
  const venueChain = chain === undefined ? null : await connectChain(model, chain)
  const webhooks = startWebhooks(model, clock)
  addControlRoutes(app, model, clock, venueChain)
  const handle = (request: SimulatedRequest) => {
    const response = model.handle(request)
    webhooks.look()
    return response
  }
  const answer =
    venueChain === null ? answerAlone(model, clock, handle) : answerOnChain(model, clock, handle, venueChain)
  app.all('/*', answer)
  app.addHook('onResponse', async () => webhooks.look())
  let feed: MarketFeed | null = null
  const close = async () => {
    webhooks.stop()
    clock.stop()
    await venueChain?.stop()
    await feed?.close()
    await app.close()
  }
  try {
    if (parsed.feedPort !== null) feed = await startMarketFeed(parsed.feedPort, model, clock)
    const url = await app.listen({ host: '127.0.0.1', port: parsed.port })
    return { url, feedUrl: feed?.url ?? null, model, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** How this simulation differs from a real day, in words for people. */
function paceText({ speed, retailFactor }: Pick<SandboxOptions, 'speed' | 'retailFactor'>): string {
  const pace = speed === 1 ? 'real time' : `${speed}x real time`
  return retailFactor === 1 ? pace : `${pace}, ${retailFactor} times the takers of a real day`
}

type MarketFeed = { readonly url: string; readonly close: () => Promise<void> }

const RATE_PATH = '/rates'

/**
 * Serves the simulated market's own rate on a separate port, like a bank's board; the venue publishes it a day late.
 * A world without such a rate shows the venue's mid.
 */
async function startMarketFeed(port: number, model: VenueModel, clock: VenueClock): Promise<MarketFeed> {
  const app = fastify({ forceCloseConnections: true })
  app.get(RATE_PATH, () => {
    const { world, mid } = model.state
    const rate = world.marketRateAt?.(clock.now()) ?? mid
    return { base: 'USD', rates: { TZS: rateToNumber(rate) } }
  })
  const url = await app.listen({ host: '127.0.0.1', port })
  return { url: `${url}${RATE_PATH}`, close: () => app.close() }
}

type Answerer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function answerAlone(model: VenueModel, clock: VenueClock, handle: VenueModel['handle']): Answerer {
  return async (request, reply) => {
    const body = request.body
    const signer = isOrder(request) ? await recoverOrderSigner(body, model.options.rfq) : null
    const now = clock.now()
    return sendAnswer(reply, handle({ ...venueRequest(request, now), body, signer }), clock, now)
  }
}

/** The same with the chain queried first and, except for orders, the books settled with it before and after. */
function answerOnChain(
  model: VenueModel,
  clock: VenueClock,
  handle: VenueModel['handle'],
  chain: VenueChain,
): Answerer {
  return async (request, reply) => {
    const body = request.body
    if (isOrder(request)) {
      const onChain = await chain.look(body)
      const now = clock.now()
      return sendAnswer(reply, handle({ ...venueRequest(request, now), body, onChain }), clock, now)
    }
    model.advanceTo(clock.now())
    await chain.settle()
    const now = clock.now()
    const response = handle({ ...venueRequest(request, now), body })
    // A late answer reports what was done by then, which must have reached the chain too.
    if (response.delayMs > 0) await clock.until(now + response.delayMs)
    model.advanceTo(clock.now())
    await chain.settle()
    return sendAnswer(reply, chain.withTransaction(response), clock, now)
  }
}

function isOrder(request: FastifyRequest): boolean {
  return request.url.includes('/rfq/orders')
}

function venueRequest(request: FastifyRequest, now: number): Omit<SimulatedRequest, 'body'> {
  const [path = '', search = ''] = request.url.split('?', 2)
  const { 'idempotency-key': key, 'x-merchant-id': merchantId } = request.headers
  return {
    method: request.method,
    path,
    query: Object.fromEntries(new URLSearchParams(search)),
    authorization: request.headers.authorization ?? null,
    now,
    limiterNow: performance.now(),
    source: request.ip,
    idempotencyKey: typeof key === 'string' ? key : null,
    merchantId: typeof merchantId === 'string' ? merchantId : null,
  }
}

/** Leaves a body that is not JSON to the route, which refuses it in the venue's own words. */
function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? undefined : JSON.parse(text as string))
    } catch {
      done(null, undefined)
    }
  })
}

export type ChainVenue = {
  readonly server: SandboxServer
  readonly chain: StartedChain
  readonly close: () => Promise<void>
}

/** The simulated venue together with its own chain, with one block per second by default. */
export async function startChainVenue(
  options: SandboxOptionsInput & { readonly chain?: ChainOptions } = {},
  world?: World,
): Promise<ChainVenue> {
  const { chain: chainOptions, ...venue } = options
  const chain = await startChain({ blockSeconds: 1, ...chainOptions })
  try {
    const server = await startSandbox(venue, world, chain)
    const close = async () => {
      await server.close()
      await chain.close()
    }
    return { server, chain, close }
  } catch (error) {
    await chain.close()
    throw error
  }
}
