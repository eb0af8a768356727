import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ANSWER_SCHEMAS } from '../answers.ts'
import { PREVIEW_BODY } from '../commands/command-bodies.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { findPosition, within } from '../server/ask-position.ts'
import type { Guard } from '../auth/guard.ts'
import { Refusal } from '../refusal.ts'

/** Both read files and one runs a strategy in a thread of its own. */
const ANSWER_WITHIN_MS = 20_000

const query = z.strictObject({ position: z.string().max(100).optional() })

/** GET /api/v1/parameters and POST /api/v1/preview: what may be set, and what would come of it. */
export function parameterRoutes(app: FastifyInstance, options: ConsoleOptions, guard: Guard): void {
  app.get(
    '/api/v1/parameters',
    {
      onRequest: async (request) => guard.checkRead(request),
      schema: {
        tags: ['parameters'],
        summary: 'What the strategy runs with, its schema, and what is unlike in the file',
        querystring: query,
        response: { 200: ANSWER_SCHEMAS.parameters, default: ANSWER_SCHEMAS.error },
      },
    },
    async (request) => {
      const { position: name } = request.query as z.output<typeof query>
      const position = findPosition(options.positions, name ?? null)
      return answerOf(options, position.name, () => position.parameters())
    },
  )
  app.post(
    '/api/v1/preview',
    {
      // It runs code, if only in a thread of its own: not everybody's business.
      onRequest: async (request) => void guard.checkCommand(request, ['operate']),
      preValidation: async (request) => void (request.body ??= {}),
      schema: {
        tags: ['parameters'],
        summary: 'What would stand now under other parameters; nothing is changed',
        security: [{ token: [] }],
        body: PREVIEW_BODY,
        response: { 200: ANSWER_SCHEMAS.preview, default: ANSWER_SCHEMAS.error },
      },
    },
    async (request) => {
      const body = request.body as z.output<typeof PREVIEW_BODY>
      const position = findPosition(options.positions, body.position ?? null)
      return answerOf(options, position.name, () => position.preview(body.changes))
    },
  )
}

async function answerOf<T>(
  { reportError }: ConsoleOptions,
  name: string,
  ask: () => Promise<T | null>,
): Promise<T> {
  const answer = await within(ANSWER_WITHIN_MS, ask, reportError)
  if (answer !== null) return answer
  throw new Refusal(503, 'position-silent', `position ${name} does not answer: it is busy or starting`)
}
