import { EXIT_CODE } from '../../../base/exit-code.ts'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { bankMatchView } from '../../view/treasury/bank-view.ts'
import { holdingsView } from '../../view/treasury/holdings-view.ts'
import type { TreasuryReading } from '../../view/treasury-reading.ts'
import { buildTreasuryView } from '../../view/treasury-view.ts'
import { ANSWER_SCHEMAS } from '../answers.ts'
import { whoOf, type Operator } from '../auth/credentials.ts'
import type { AccessControl } from '../auth/access-control.ts'
import type { GivenAnswer } from '../commands/answered-once.ts'
import { exitCodeOfSilence } from '../commands/command-bodies.ts'
import type { PositionPort } from '../position-port.ts'
import { findPosition, within } from '../server/ask-position.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { onceRoutes, readRoute } from '../routes.ts'
import { Refusal } from '../refusal.ts'
import { treasuryOrderOf } from './parse-treasury-order.ts'
import {
  MATCH_BODY,
  MATCH_BYTES,
  TREASURY_ANSWERS,
  TREASURY_BODIES,
  TREASURY_NEEDS,
  TREASURY_ORDERS,
  TREASURY_SUMMARIES,
  type TreasuryOrderPath,
} from './treasury-bodies.ts'

const ANSWER_WITHIN_MS = 2_000
/** An order is answered once it is on disk. */
const ORDER_WITHIN_MS = 8_000

const query = z.object({ position: z.string().optional() })

const MATCH = {
  tags: ['treasury'],
  summary: 'Match a bank’s file to the payments that intents expect; changes nothing',
  security: [{ token: [] }],
  body: MATCH_BODY,
  response: { 200: TREASURY_ANSWERS.match, default: ANSWER_SCHEMAS.error },
}

/** GET /api/v1/treasury and its bands, POST /api/v1/treasury/match, and the orders below the same path. */
export function treasuryRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  readRoute(app, access, '/api/v1/treasury', {
    tag: 'treasury',
    summary: 'The treasury of a position: holdings, plan, intents, claims, rails, payees',
    query,
    answer: TREASURY_ANSWERS.view,
    async handle({ position: name }) {
      const position = findPosition(options.positions, name ?? null)
      const { state, plan, now, webhooks } = await readingOf(options, position)
      const approvers = options.credentials
        .filter(({ may }) => may.includes('approve'))
        .map((one) => one.name)
      return { position: position.name, approvers, webhooks, ...buildTreasuryView(state, plan, now) }
    },
  })
  readRoute(app, access, '/api/v1/treasury/bands', {
    tag: 'treasury',
    summary: 'Where the policy refills and skims; empty for a position without a treasury',
    query,
    answer: TREASURY_ANSWERS.bands,
    async handle({ position: name }) {
      const position = findPosition(options.positions, name ?? null)
      const reading = await askReading(options, position)
      const tokens = reading === null ? [] : holdingsView(reading.state).tokens
      const bands = tokens.flatMap(({ asset, band }) => (band === null ? [] : [{ asset, band }]))
      return { position: position.name, bands }
    },
  })
  matchRoute(app, options, access)
  const addRoute = onceRoutes(app, access)
  const { order: answer } = TREASURY_ANSWERS
  for (const path of TREASURY_ORDERS)
    addRoute<OrderBody>(`/api/v1/treasury/${path}`, {
      tag: 'treasury',
      summary: TREASURY_SUMMARIES[path],
      needs: TREASURY_NEEDS[path],
      name: path,
      body: TREASURY_BODIES[path],
      answers: { 200: answer, 409: answer, 503: answer },
      isKeptHere: true,
      act: (body, operator) => order(options, path, body, operator),
      ...(path === 'resume' && { onReplay: (body) => refuseUndone(options, body) }),
    })
}

/** POST /api/v1/treasury/match: takes longer bodies than the other routes, one at a time for each token. */
function matchRoute(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  const takeTurn = createTurns()
  app.post(
    '/api/v1/treasury/match',
    {
      onRequest: async (request, reply) => takeTurn(access.checkCommand(request, ['read']).name, reply.raw),
      bodyLimit: MATCH_BYTES,
      schema: MATCH,
    },
    async (request, reply) => {
      const { position: name, text } = request.body as z.output<typeof MATCH_BODY>
      const { state, bankFormats } = await readingOf(options, findPosition(options.positions, name ?? null))
      const { readBankFile } = await import('../../../treasury/statement/read-bank-file.ts')
      const file = readBankFile(text, bankFormats, null)
      if (file.ok) return reply.send(bankMatchView(file.value, Object.values(state.intents)))
      const { line, message } = file.error
      throw new Refusal(422, 'bank-file', `line ${line}: ${message}; no line of the file was used`)
    },
  )
}

type OrderBody = { readonly position?: string | undefined; readonly who?: string | undefined }

/** Throws a Refusal while another file of the same token is received, which bounds the memory that one token can use. */
function createTurns(): (name: string, response: ServerResponse) => void {
  const matching = new Set<string>()
  return (name, response) => {
    if (matching.has(name))
      throw new Refusal(429, 'too-many', `one bank file of ${name} at a time; send this one again in 1 s`, 1)
    matching.add(name)
    response.once('close', () => matching.delete(name))
  }
}

/** Throws a Refusal if the treasury was stopped since: the recorded answer is then no longer true. */
async function refuseUndone(options: ConsoleOptions, { position: name }: OrderBody): Promise<void> {
  const { stop } = (await readingOf(options, findPosition(options.positions, name ?? null))).state
  if (stop === null) return
  const message = `this key was used before, and ${stop.who} has stopped the treasury since: use a new key to resume`
  throw new Refusal(409, 'undone', message)
}

async function order(
  options: ConsoleOptions,
  path: TreasuryOrderPath,
  body: OrderBody,
  operator: Operator,
): Promise<GivenAnswer> {
  const { position: name, who } = body
  const position = findPosition(options.positions, name ?? null)
  const { state } = await readingOf(options, position)
  const parsed = treasuryOrderOf(path, body, state)
  if (!parsed.ok) throw new Refusal(400, 'bad-request', parsed.error)
  const answer = await within(
    ORDER_WITHIN_MS,
    () => position.treasuryOrder(parsed.value, operator.name, whoOf(operator, who ?? null)),
    options.reportError,
  )
  const given = answer ?? {
    accepted: false,
    answer: `no answer from position ${position.name}: the outcome is unknown; look at the treasury before trying again`,
    exitCode: exitCodeOfSilence(`treasury/${path}`),
  }
  const isSilent = answer === null || answer.exitCode === EXIT_CODE.failed
  const status = given.accepted ? 200 : isSilent ? 503 : 409
  return { status, body: { position: position.name, ...given } }
}

function askReading(options: ConsoleOptions, position: PositionPort): Promise<TreasuryReading | null> {
  const withinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS
  return within(withinMs, () => position.treasury(), options.reportError)
}

async function readingOf(options: ConsoleOptions, position: PositionPort): Promise<TreasuryReading> {
  const reading = await askReading(options, position)
  if (reading !== null) return reading
  const why = `position ${position.name} shows no treasury: none is configured, it has not started, or the position does not answer`
  throw new Refusal(404, 'no-treasury', why)
}
