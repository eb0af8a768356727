import type { FastifyInstance } from 'fastify'
import type { ConsoleOptions } from './console-options.ts'
import { findPosition } from './find-position.ts'
import type { Guard } from './guard.ts'
import { Refusal } from './refusal.ts'
import { createStreamHub } from './stream-hub.ts'
import { createStreamSink } from './stream-sink.ts'

const MAX_READERS = 100
const ANSWER_WITHIN_MS = 2_000

/**
 * GET /api/v1/stream: server-sent events, see `StreamMessage`. A page reads it with `fetch`, which can send
 * the Authorization header; `EventSource` could not, and a cookie would be sent along by any other page too.
 * With no cookie anywhere there is nothing that a forged request could use.
 */
export function streamRoutes(app: FastifyInstance, options: ConsoleOptions, guard: Guard): void {
  const { positions, version, reportError } = options
  const answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS
  const takesCommands = options.token !== null
  const hub = createStreamHub({ positions, version, takesCommands, answerWithinMs, reportError })
  app.addHook('preClose', async () => hub.close())
  app.get('/api/v1/stream', { onRequest: async (request) => guard.checkRead(request) }, (request, reply) => {
    const { position } = request.query as { readonly position?: unknown }
    const names = typeof position === 'string' ? [findPosition(positions, position)] : positions
    if (hub.size() >= MAX_READERS) {
      const message = `${MAX_READERS} consoles are open already; close one, or raise nothing and look at GET /api/v1/state`
      throw new Refusal(503, 'too-many-readers', message)
    }
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    })
    const leave = hub.join(
      createStreamSink(raw),
      names.map(({ name }) => name),
    )
    raw.on('close', leave)
  })
}
