import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { FILL_MODELS } from '../../../core/models/fill-models.ts'
import { ANSWER_SCHEMAS, textAnswers } from '../answers.ts'
import type { AccessControl } from '../auth/access-control.ts'
import { whoOf } from '../auth/credentials.ts'
import { CHANGES, COMMON_FIELDS } from '../commands/command-bodies.ts'
import { Refusal } from '../refusal.ts'
import { postRoute, readRoute } from '../routes.ts'
import type { ResearchPort } from '../position-port.ts'
import { findPosition, within } from '../server/ask-position.ts'
import type { ConsoleOptions } from '../server/options.ts'

/** An own origin, so that a script in the report cannot reach the console's token. The page's own policy names its one script by its hash. */
const REPORT_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const ANSWER_WITHIN_MS = 20_000
const ID = z.string().regex(/^[0-9a-f]{32}$/, 'not the id of a run; GET /api/v1/research lists them')
const START_BODY = z.strictObject({
  ...COMMON_FIELDS,
  kind: z.enum(['backtest', 'whatif']),
  tape: z.string().max(4_096).nullable().default(null).describe('For a backtest: one of `tapes`.'),
  fills: z
    .enum(FILL_MODELS)
    .nullable()
    .default(null)
    .describe('The fill model; null = `backtest.fills` of the configuration.'),
  changes: CHANGES.default({}),
})
const CANCEL_BODY = z.strictObject({ ...COMMON_FIELDS, id: ID })
const query = z.strictObject({ position: z.string().max(100).optional() })
const reportParams = z.object({ id: ID })

/** GET and POST /api/v1/research, POST research/cancel and GET research/ID/report. */
export function researchRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  const { research } = options
  if (research === undefined) return
  app.addHook('onClose', async () => research.close())
  readRoute(app, access, '/api/v1/research', {
    tag: 'research',
    summary: 'The tapes of a position, and the latest backtests and what-ifs of this process, newest first',
    query,
    answer: ANSWER_SCHEMAS.research,
    handle({ position: name }) {
      const position = findPosition(options.positions, name ?? null).name
      return { position, tapes: research.tapes(position), since: research.since, runs: research.runs() }
    },
  })
  startRoute(app, options, access, research)
  postRoute(app, access, '/api/v1/research/cancel', {
    tag: 'research',
    summary: 'Cancel the run',
    needs: ['operate'],
    body: CANCEL_BODY,
    answers: { 200: ANSWER_SCHEMAS.researchCancelled },
    async handle({ id, who }, operator) {
      if (research.cancel(id, whoOf(operator, who ?? null))) return { answer: 'cancelled' }
      const why = 'this run is not under way: it has ended, or the daemon has restarted'
      throw new Refusal(409, 'not-running', why)
    },
  })
  reportRoute(app, research)
}

function startRoute(
  app: FastifyInstance,
  options: ConsoleOptions,
  access: AccessControl,
  research: ResearchPort,
): void {
  postRoute(app, access, '/api/v1/research', {
    tag: 'research',
    summary: 'Start a backtest or a what-if of the present configuration; changes nothing',
    needs: ['operate'],
    body: START_BODY,
    answers: { 200: ANSWER_SCHEMAS.researchStarted },
    async handle({ position: name, kind, tape, fills, changes, who }, operator) {
      const position = findPosition(options.positions, name ?? null)
      const parameters = await within(ANSWER_WITHIN_MS, () => position.parameters(), options.reportError)
      if (parameters === null)
        throw new Refusal(503, 'position-silent', `position ${position.name} does not answer`)
      const inForce = Object.fromEntries(parameters.changed.map(({ path, given }) => [path, given]))
      const order = {
        position: position.name,
        kind,
        tape,
        fills,
        changes,
        who: whoOf(operator, who ?? null),
        inForce,
      }
      const started = research.start(order)
      if (started.ok) return { answer: `the ${kind} runs`, run: started.value }
      const { isBusy, message } = started.error
      throw new Refusal(isBusy ? 409 : 400, isBusy ? 'busy' : 'bad-request', message)
    },
  })
}

function reportRoute(app: FastifyInstance, research: ResearchPort): void {
  app.get(
    '/api/v1/research/:id/report',
    {
      schema: {
        tags: ['research'],
        summary: 'The report of a finished run, for browsers; its id is the permission',
        params: reportParams,
        response: textAnswers(['text/html']),
      },
    },
    async (request, reply) => {
      const html = await research.report((request.params as z.output<typeof reportParams>).id)
      if (html === null)
        throw new Refusal(404, 'no-report', 'there is no report of this run; reports end with the daemon')
      return reply
        .header('content-security-policy', REPORT_POLICY)
        .type('text/html; charset=utf-8')
        .send(html)
    },
  )
}
