import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { stopFields } from '../../view/stop-view.ts'
import { ANSWER_SCHEMAS } from '../api/answers.ts'
import { PERMISSIONS, whoOf, type Operator, type Permission } from '../auth/credentials.ts'
import type { Guard } from '../auth/guard.ts'
import type { CommandAnswer, ConsoleCommand, PositionPort } from '../position-port.ts'
import { choosePositions, within } from '../server/ask-position.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { Refusal } from '../server/refusal.ts'
import { readBody, type ReadBody } from './read-body.ts'
import { readStop, type StopRequest } from './read-stop.ts'

/** A stop is answered within four seconds, with the body that may take one of them. */
const ANSWER_WITHIN_MS = 3_900

type Stop = {
  readonly summary: string
  /** What a token must be allowed to do, one of these. */
  readonly needs: readonly Permission[]
  /** Goes to all positions where none is named, or the name cannot be read. */
  readonly isForAll?: boolean
  readonly command: ((request: StopRequest) => ConsoleCommand) | null
}

/** What stops something, by its path below /api/v1: with the right token it is carried out each time, whatever its body is. */
const STOPS: Readonly<Record<string, Stop>> = {
  halt: {
    summary: 'Stop trading; only resume lifts it, a restart does not',
    needs: ['operate'],
    isForAll: true,
    command: () => ({ name: 'halt' }),
  },
  pause: {
    summary: 'Both sides to the safe quote until resume',
    needs: ['operate'],
    isForAll: true,
    command: () => ({ name: 'pause' }),
  },
  deactivate: {
    summary: 'Take the position out of the market',
    needs: ['operate'],
    command: ({ wallet, isHurried }) => ({
      name: 'deactivate',
      insists: true,
      ...(wallet !== null && { wallet }),
      ...(isHurried && { now: true }),
    }),
  },
  cancelOrders: {
    summary: 'Take signed orders back on chain; all where no salts are named',
    needs: ['operate'],
    command: ({ salts }) => ({ name: 'cancelOrders', salts }),
  },
  stopSigning: {
    summary: 'Sign no more orders; `mizani rfq stop-at never` lifts it',
    needs: ['operate'],
    command: () => ({ name: 'stopSigning' }),
  },
  cancelWithdrawal: {
    summary: 'Cancel a withdrawal that has not left; all of them where no key is named',
    needs: ['operate', 'withdraw', 'approve'],
    command: ({ key }) => ({ name: 'cancelWithdrawal', key }),
  },
  'treasury/stop': {
    summary: 'Send nothing from the treasury until somebody resumes it',
    needs: PERMISSIONS,
    command: null,
  },
}

const BODY = z
  .looseObject({
    position: z.string().optional().describe('Which one, in any case. Without it halt and pause go to all.'),
    who: z.string().optional().describe('Who gives it, where several people share a token.'),
    why: z.string().optional().describe('Why, for the journal; `reason` is the same.'),
    reason: z.string().optional(),
    key: z.string().optional().describe('cancelWithdrawal: the key of the withdrawal.'),
    salts: z.array(z.string()).nullable().optional().describe('cancelOrders: decimal salts.'),
    wallet: z
      .string()
      .optional()
      .describe('deactivate: the wallet that the account names since it was changed.'),
    now: z
      .boolean()
      .optional()
      .describe('deactivate: without the wide quote and the wait for fills before it.'),
  })
  .describe('A form does as well. What cannot be read is journalled, and the stop is carried out.')

const partly = z.object(stopFields).partial().shape
const outcome = z.object({
  position: z.string(),
  accepted: z.boolean(),
  answer: z.string(),
  exitCode: z.exactOptional(z.int()),
  ...partly,
})
const answer = z.union([
  outcome,
  z.object({ accepted: z.boolean(), confirmed: z.boolean(), positions: z.array(outcome) }),
])

export function isStopPath(url: string): boolean {
  const path = /^\/api\/v1\/([^?#]*?)\/*(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase()
  return path !== undefined && Object.keys(STOPS).some((name) => name.toLowerCase() === path)
}

/**
 * POST and PUT of what stops something. Token and path decide alone: the body is read by hand, within a second, so that no
 * content type, length or form of it is a refusal. 200 = it is in force, with what the venue shows; 409 = it cannot be.
 */
export function stopRoutes(app: FastifyInstance, options: ConsoleOptions, guard: Guard): void {
  for (const [path, stop] of Object.entries(STOPS)) {
    const url = `/api/v1/${path}`
    const carryOut = async (request: FastifyRequest, reply: FastifyReply) => {
      const operator = guard.checkCommand(request, stop.needs)
      const body = await readBody(request.raw, options.stopBodyMs)
      if (body.cut !== null) void reply.header('connection', 'close')
      const { status, answer: given } = await obey(options, stop, body, operator)
      return reply.code(status).send(given)
    }
    app.route({
      method: ['POST', 'PUT'],
      url,
      // Answered here, before anything else looks at the body.
      onRequest: carryOut,
      handler: carryOut,
      schema: {
        tags: ['commands'],
        summary: stop.summary,
        security: [{ token: [] }],
        body: BODY,
        response: { 200: answer, 409: answer, 503: answer, default: ANSWER_SCHEMAS.error },
      },
    })
    app.route({
      method: ['GET', 'PATCH', 'DELETE'],
      url,
      schema: { hide: true },
      handler: async (_request, reply) =>
        reply
          .code(405)
          .header('allow', 'POST, PUT')
          .send({ error: 'method', message: commandText(options, url) }),
    })
  }
}

function commandText({ host, port }: ConsoleOptions, url: string): string {
  const command = `curl -X POST -H "Authorization: Bearer $TOKEN" http://${host}:${port}${url}`
  return `nothing was stopped: ${url} takes POST. Send: ${command}`
}

type Outcome = CommandAnswer & { readonly position: string }

async function obey(
  options: ConsoleOptions,
  { command, isForAll = false }: Stop,
  body: ReadBody,
  operator: Operator,
): Promise<{ readonly status: number; readonly answer: object }> {
  if (options.positions.length === 0)
    throw new Refusal(503, 'no-position', 'nothing was stopped: no position runs here')
  const request = readStop(body)
  const who = whoOf(operator, request.who)
  const give = (position: PositionPort) =>
    command === null
      ? position.treasuryOrder({ name: 'stop', why: request.why }, operator.name, who)
      : position.command(command(request), who, request.why)
  const outcomes = await Promise.all(
    choosePositions(options.positions, request.position, isForAll).map(
      async (position): Promise<Outcome> => ({
        position: position.name,
        ...((await within(ANSWER_WITHIN_MS, () => give(position), options.reportError)) ?? silent(position)),
      }),
    ),
  )
  const accepted = outcomes.every((one) => one.accepted)
  const status = accepted ? 200 : outcomes.some(({ exitCode }) => exitCode === 1) ? 503 : 409
  const [only] = outcomes
  if (only !== undefined && outcomes.length === 1) return { status, answer: only }
  const confirmed = outcomes.every((one) => one.confirmed === true)
  return { status, answer: { accepted, confirmed, positions: outcomes } }
}

function silent({ name }: PositionPort): CommandAnswer {
  const answer = `no answer from position ${name}: whether it is in force is unknown; send it again, which does no harm, and look at its state`
  return { accepted: false, confirmed: false, answer, exitCode: 1 }
}
