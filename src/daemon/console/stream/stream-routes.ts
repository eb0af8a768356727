import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ConsoleOptions } from '../server/options.ts'
import { findPosition } from '../server/ask-position.ts'
import type { Asker, AccessControl } from '../auth/access-control.ts'
import type { PositionPort } from '../position-port.ts'
import { Refusal } from '../refusal.ts'
import { STREAM_BEGUN } from '../server/stranger-queue.ts'
import { createStreamHub, type StreamHub, type StreamWish } from './stream-hub.ts'
import { createStreamSink } from './stream-sink.ts'
import { textAnswers } from '../answers.ts'

const MAX_READERS = 100
/** One address must not use up all connections. */
const MAX_READERS_OF_ADDRESS = 20
const ANSWER_WITHIN_MS = 2_000

const STREAM = {
  tags: ['state'],
  summary:
    'Positions and notices as they change: server-sent events of hello, state, silent, notice, summaries and dropped',
  querystring: z.object({
    position: z.string().max(100).optional(),
    list: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        'true: a line for every position as it changes; states and notices then only of the named position, or of the only one.',
      ),
  }),
  response: textAnswers(['text/event-stream']),
}

/**
 * GET /api/v1/stream: server-sent events, see `StreamMessage`. The page reads it with `fetch`, because `EventSource` cannot
 * send the Authorization header. There is no cookie, which a browser would also send with a request that another site forged.
 */
export function streamRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  const { positions, summaries, version, reportError } = options
  const answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS
  const takesCommands = options.credentials.some(({ may }) => may.some((one) => one !== 'read'))
  let made: StreamHub | null = null
  const hubNow = (): StreamHub =>
    (made ??= createStreamHub({ positions, summaries, version, takesCommands, answerWithinMs, reportError }))
  const readersOf = new Map<string, number>()
  app.addHook('preClose', async () => made?.close())
  // A HEAD would open a stream that no one reads.
  const route = {
    schema: { ...STREAM, security: access.readSecurity },
    exposeHeadRoute: false,
    onRequest: async (request: Asker) => access.checkRead(request),
  }
  app.get('/api/v1/stream', route, (request, reply) => {
    const wish = wishOf(positions, request.query as z.output<typeof STREAM.querystring>)
    const hub = hubNow()
    const ofAddress = readersOf.get(request.ip) ?? 0
    if (hub.size() >= MAX_READERS) throw tooManyReaders(MAX_READERS, '')
    if (ofAddress >= MAX_READERS_OF_ADDRESS)
      throw tooManyReaders(MAX_READERS_OF_ADDRESS, ' from this address')
    reply.hijack()
    readersOf.set(request.ip, ofAddress + 1)
    const { raw } = reply
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    })
    raw.emit(STREAM_BEGUN)
    const leave = hub.join(createStreamSink(raw), wish)
    raw.on('close', () => {
      leave()
      const left = (readersOf.get(request.ip) ?? 1) - 1
      if (left === 0) readersOf.delete(request.ip)
      else readersOf.set(request.ip, left)
    })
  })
}

/** With a list, a named position may be missing: a page still names it after it was removed. */
function wishOf(
  positions: readonly PositionPort[],
  { position, list }: z.output<typeof STREAM.querystring>,
): StreamWish {
  if (list === 'true') {
    const [only] = positions.length === 1 ? positions : []
    const name = position ?? only?.name
    return { list: true, positions: new Set(name === undefined ? [] : [name]) }
  }
  const chosen = position === undefined ? null : new Set([findPosition(positions, position).name])
  return { list: false, positions: chosen }
}

function tooManyReaders(count: number, where: string): Refusal {
  const message = `${count} consoles are open${where} already; close one, or poll GET /api/v1/state`
  return new Refusal(503, 'too-many-readers', message)
}
