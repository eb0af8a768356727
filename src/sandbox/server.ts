import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { addControlRoutes } from './control-routes.ts'
import { SandboxOptionsSchema, type SandboxOptionsInput } from './options.ts'
import { recoverOrderSigner } from './rfq-signature.ts'
import { sendAnswer } from './send-answer.ts'
import { createVenueClock } from './venue-clock.ts'
import { createVenueModel, type VenueModel } from './venue-model.ts'
import type { VenueRequest } from './venue-request.ts'
import type { World } from './world/world.ts'

export type SandboxServer = {
  /** `http://127.0.0.1:PORT`; the LP API is under /api/v1/mm, the control API under /sandbox. */
  readonly url: string
  /** The venue itself. It is as of the last request: `advanceTo` or any control call brings it up to now. */
  readonly model: VenueModel
  /** Cuts every connection, also hung ones. */
  close(): Promise<void>
}

/**
 * The venue in a box, over real HTTP on loopback. Time is virtual (`speed`), also in the Date header;
 * only the request limits count on the wall clock, as the caller's own budget does.
 */
export async function startSandbox(input: SandboxOptionsInput = {}, world?: World): Promise<SandboxServer> {
  const parsed = SandboxOptionsSchema.parse(input)
  const startMs = parsed.startMs ?? Date.now()
  const model = createVenueModel({ ...parsed, startMs }, world)
  const clock = createVenueClock(startMs, parsed.speed, () => performance.now())
  const app = fastify({ forceCloseConnections: true, bodyLimit: 1_048_576 })
  acceptAnyBody(app)
  addControlRoutes(app, model, clock)
  app.all('/*', async (request, reply) => {
    const body = request.body
    const isOrder = request.url.includes('/rfq/orders')
    const signer = isOrder ? await recoverOrderSigner(body, model.options.rfq) : null
    const now = clock.now()
    return sendAnswer(reply, model.handle({ ...venueRequest(request, now), body, signer }), clock, now)
  })
  const url = await app.listen({ host: '127.0.0.1', port: parsed.port })
  return {
    url,
    model,
    async close() {
      clock.stop()
      await app.close()
    },
  }
}

function venueRequest(request: FastifyRequest, now: number): Omit<VenueRequest, 'body'> {
  const [path = '', search = ''] = request.url.split('?', 2)
  const key = request.headers['idempotency-key']
  return {
    method: request.method,
    path,
    query: Object.fromEntries(new URLSearchParams(search)),
    authorization: request.headers.authorization ?? null,
    now,
    limiterNow: performance.now(),
    source: request.ip,
    idempotencyKey: typeof key === 'string' ? key : null,
  }
}

/** A body that is not JSON is for the route to refuse in the venue's own words, not for the framework. */
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
