import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ANSWER_SCHEMAS } from '../answers.ts'
import { PREVIEW_BODY } from '../commands/command-bodies.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { findPosition, within } from '../server/ask-position.ts'
import { postRoute, readRoute } from '../routes.ts'
import type { AccessControl } from '../auth/access-control.ts'
import { Refusal } from '../refusal.ts'

/** Both routes read files, and one runs a strategy in a separate thread. */
const ANSWER_WITHIN_MS = 20_000

const query = z.strictObject({ position: z.string().max(100).optional() })

/** GET /api/v1/parameters and POST /api/v1/preview: the settings that may change, and the effect of a change. */
export function parameterRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  readRoute(app, access, '/api/v1/parameters', {
    tag: 'parameters',
    summary: 'The strategy’s current parameters, their schema, and those that differ from the file',
    query,
    answer: ANSWER_SCHEMAS.parameters,
    handle({ position: name }) {
      const position = findPosition(options.positions, name ?? null)
      return answerOf(options, position.name, () => position.parameters())
    },
  })
  postRoute(app, access, '/api/v1/preview', {
    tag: 'parameters',
    summary: 'The quote under other parameters; changes nothing',
    // A preview runs the strategy's code, although in a separate thread.
    needs: ['operate'],
    body: PREVIEW_BODY,
    answers: { 200: ANSWER_SCHEMAS.preview },
    async handle(body) {
      const position = findPosition(options.positions, body.position ?? null)
      const answer = await answerOf(options, position.name, () => position.preview(body.changes))
      if (answer !== 'busy') return answer
      throw new Refusal(429, 'too-many', 'another preview is running; send this one again in 1 s', 1)
    },
  })
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
