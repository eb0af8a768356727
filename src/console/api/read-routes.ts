import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ANSWER_SCHEMAS, textAnswers } from './answers.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { findPosition, within } from '../server/ask-position.ts'
import type { Asker, Guard } from '../auth/guard.ts'
import type { PositionPort } from '../position-port.ts'
import { Refusal } from '../server/refusal.ts'

const ANSWER_WITHIN_MS = 2_000

const STATE = {
  tags: ['state'],
  summary: 'What each position sees, quotes and holds',
  querystring: z.object({ position: z.string().optional() }),
  response: { 200: ANSWER_SCHEMAS.state, default: ANSWER_SCHEMAS.error },
}

const METRICS = {
  tags: ['state'],
  summary: 'Metrics for Prometheus',
  response: textAnswers(['text/plain']),
}

function described(summary: string, answer: z.ZodType): { readonly schema: object } {
  return {
    schema: {
      tags: ['health'],
      summary,
      response: { 200: answer, 503: answer, default: ANSWER_SCHEMAS.error },
    },
  }
}

/** GET /healthz and /readyz: open wherever the server listens, for orchestrators that carry no token. */
export function healthRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  const { positions, version } = options
  app.get('/healthz', described('Alive', ANSWER_SCHEMAS.health), async (_request, reply) => {
    const health = positions.map((position) => ({ position: position.name, ...position.health() }))
    const alive = health.every((one) => one.alive)
    return reply.code(alive ? 200 : 503).send({ alive, version, positions: health })
  })
  app.get('/readyz', described('Ready to trade', ANSWER_SCHEMAS.ready), async (_request, reply) => {
    const answers = await Promise.all(
      positions.map(async (position) => {
        const answer = await ask(options, () => position.ready())
        const { ready, why } = answer ?? { ready: false, why: [silence(position)] }
        return { position: position.name, ready, why }
      }),
    )
    const ready = answers.every((one) => one.ready)
    return reply.code(ready ? 200 : 503).send({ ready, positions: answers })
  })
}

/** GET /metrics and /api/v1/state. */
export function readRoutes(app: FastifyInstance, options: ConsoleOptions, guard: Guard): void {
  const { positions } = options
  const onRequest = async (request: Asker) => guard.checkRead(request)
  app.get('/metrics', { onRequest, schema: METRICS }, async (_request, reply) => {
    const { contentType, text } = await options.scrape()
    return reply.type(contentType).send(text)
  })
  app.get('/api/v1/state', { onRequest, schema: STATE }, async (request, reply) => {
    const { position: name } = request.query as z.output<typeof STATE.querystring>
    if (name !== undefined || positions.length === 1) {
      const position = findPosition(positions, name ?? null)
      const view = await ask(options, () => position.view())
      if (view === null) throw new Refusal(503, 'position-silent', silence(position))
      return reply.send(view)
    }
    const views = await Promise.all(
      positions.map(async (position) => {
        const view = await ask(options, () => position.view())
        return view ?? { name: position.name, error: 'position-silent', message: silence(position) }
      }),
    )
    return reply.send({ positions: views })
  })
}

function ask<T>(options: ConsoleOptions, asked: () => Promise<T>): Promise<T | null> {
  return within(options.answerWithinMs ?? ANSWER_WITHIN_MS, asked, options.reportError)
}

function silence({ name, health }: PositionPort): string {
  return `position ${name} does not answer: ${health().why ?? 'it is busy or starting'}`
}
