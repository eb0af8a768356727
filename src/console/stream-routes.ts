import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ConsoleOptions } from './console-options.ts'
import { findPosition } from './find-position.ts'
import type { Asker, Guard } from './guard.ts'
import { Refusal } from './refusal.ts'
import { createStreamHub } from './stream-hub.ts'
import { createStreamSink } from './stream-sink.ts'
import { textAnswers } from './text-answers.ts'

const MAX_READERS = 100
const ANSWER_WITHIN_MS = 2_000

const STREAM = {
  tags: ['state'],
  summary:
    'Positions and notices as they come: server-sent events of hello, state, silent, notice and dropped',
  querystring: z.object({ position: z.string().max(100).optional() }),
  response: textAnswers(['text/event-stream']),
}

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
  // A HEAD would open a stream that nobody reads.
  const route = {
    schema: STREAM,
    exposeHeadRoute: false,
    onRequest: async (request: Asker) => guard.checkRead(request),
  }
  app.get('/api/v1/stream', route, (request, reply) => {
    const { position } = request.query as z.output<typeof STREAM.querystring>
    const names = position === undefined ? positions : [findPosition(positions, position)]
    if (hub.size() >= MAX_READERS) {
      const message = `${MAX_READERS} consoles are open already; close one, or ask GET /api/v1/state now and then`
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
