import { EXIT_CODE } from '../../../base/exit-code.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { stopFields } from '../../view/stop-view.ts'
import { ANSWER_SCHEMAS, commandOutcome } from '../answers.ts'
import { whoOf, type Operator } from '../auth/credentials.ts'
import type { AccessControl } from '../auth/access-control.ts'
import type { OperatorAnswer } from '../position-port.ts'
import { choosePositions, within } from '../server/ask-position.ts'
import type { ConsoleOptions, StopPort } from '../server/options.ts'
import { Refusal } from '../refusal.ts'
import { httpStatusOf } from '../commands/command-routes.ts'
import { OPERATOR_COMMANDS, STOP_PATHS, type StopPath, TREASURY_STOP } from '../commands/operator-commands.ts'
import { readBody, readStop, type StopRequest } from './read-stop.ts'

/** A stop is answered within four seconds: one for reading the body, three for the position. */
const ANSWER_WITHIN_MS = 3_000

const text = z.string().optional()
const COMMON_FIELDS = {
  position: text.describe(
    'Position name (case-insensitive). Without it, halt and pause apply to all positions.',
  ),
  who: text.describe('The person who sends it, if several people share a token.'),
  why: text.describe('The reason, for the journal; `reason` is a synonym.'),
  reason: text,
}
const OWN_FIELDS: { readonly [Path in StopPath]?: z.ZodRawShape } = {
  cancelWithdrawal: { key: text.describe('The key of the withdrawal. Without it, all are cancelled.') },
  cancelOrders: {
    salts: z.array(z.string()).nullish().describe('Decimal salts. Without them, all orders are cancelled.'),
  },
  deactivate: {
    wallet: text.describe('The changed wallet.'),
    now: z.boolean().optional().describe('Does not wait for fills.'),
  },
}
const BODY_NOTE =
  'JSON or a form; each field may also be a query parameter. Unreadable parts are journalled, and the stop is executed anyway.'

const IGNORED = z.string().optional().describe('Ignored: every stop is executed.')
const HEADERS = z.looseObject({ 'idempotency-key': IGNORED })

const outcome = commandOutcome.extend(z.object(stopFields).partial().shape)
const answer = z.union([
  outcome,
  z.object({ accepted: z.boolean(), confirmed: z.boolean(), positions: z.array(outcome) }),
])

/** Returns the stop that a path requests, accepting any plausible spelling of it; null = not a stop. */
function stopOf(url: string): StopPath | null {
  const [path = ''] = url.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/)
  const parts = decoded(path)
    .split(/[/\\]/)
    .map((part) => part.replace(/[;?#].*$/s, '').trim())
  const plain = parts.filter((part) => part !== '' && part !== '.').join('/')
  const bare = plain.replace(/[^a-z]+$/i, '').toLowerCase()
  return STOP_PATHS.find((name) => bare === `api/v1/${name.toLowerCase()}`) ?? null
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Drop malformed percent escapes.
    return path.replaceAll(/%[0-9a-f]{0,2}/gi, '')
  }
}

/**
 * Node replies 400 to malformed bytes even after a valid stop, which would truncate our response. Returns whether a stop is in progress on
 * the connection; its response then ends the connection.
 */
export function trackStops(server: Server): (socket: Socket) => boolean {
  const underWay = new WeakMap<Socket, number>()
  server.prependListener('request', ({ socket, url = '' }: IncomingMessage, response: ServerResponse) => {
    if (stopOf(url) === null) return
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1)
    response.on('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
  })
  return (socket) => (underWay.get(socket) ?? 0) > 0
}

/** Returns the canonical URL of a stop, query included; other URLs are returned unchanged. */
export function plainStopUrl(url: string): string {
  const stop = stopOf(url)
  return stop === null ? url : `/api/v1/${stop}${queryOf(url)}`
}

function queryOf(url: string): string {
  return /\?[^#]*/.exec(url)?.[0] ?? ''
}

/**
 * POST and PUT routes of every stop. Only token and path can refuse a request: the body is read by hand, within a second, so that its
 * content type, length or syntax cannot. 200 = the stop is in force, with what the venue shows; 409 = it cannot be put in force.
 */
export function stopRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  for (const path of STOP_PATHS) {
    const { summary, needs } = path === 'treasury/stop' ? TREASURY_STOP : OPERATOR_COMMANDS[path]
    const url = `/api/v1/${path}`
    const execute = async (request: FastifyRequest, reply: FastifyReply) => {
      const operator = access.checkCommand(request, needs)
      const body = await readBody(request.raw, options.stopBodyMs)
      if (body.cut !== null) void reply.header('connection', 'close')
      const { status, answer: given } = await sendStop(
        options,
        path,
        readStop(body, queryOf(request.url)),
        operator,
      )
      return reply.code(status).send(given)
    }
    app.route({
      method: ['POST', 'PUT'],
      url,
      // Reply in `onRequest`, before Fastify parses or validates the body.
      onRequest: execute,
      handler: execute,
      schema: {
        tags: ['commands'],
        summary,
        security: [{ token: [] }],
        headers: HEADERS,
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: z.looseObject({ ...COMMON_FIELDS, ...OWN_FIELDS[path] }).describe(BODY_NOTE),
        response: { 200: answer, 409: answer, 502: answer, 503: answer, default: ANSWER_SCHEMAS.error },
      },
    })
    app.route({
      method: ['GET', 'PATCH', 'DELETE'],
      url,
      schema: { hide: true },
      handler: async ({ host }, reply) => {
        void reply.code(405).header('allow', 'POST, PUT')
        return { error: 'method', message: commandText(`http://${host}${url}`) }
      },
    })
  }
}

function commandText(url: string): string {
  return `nothing was stopped: this path takes POST. Send: curl -X POST -H "Authorization: Bearer $TOKEN" ${url}`
}

type Outcome = OperatorAnswer & { readonly position: string }

async function sendStop(
  options: ConsoleOptions,
  path: StopPath,
  request: StopRequest,
  operator: Operator,
): Promise<{ readonly status: number; readonly answer: object }> {
  const all: readonly StopPort[] = [...options.positions, ...(options.absent?.() ?? [])]
  if (all.length === 0) throw new Refusal(503, 'no-position', 'nothing was stopped: no position runs here')
  const who = whoOf(operator, request.who)
  const isForAll = path !== 'treasury/stop' && OPERATOR_COMMANDS[path].isForAll === true
  const give = (position: StopPort) =>
    path === 'treasury/stop'
      ? position.treasuryOrder({ name: 'stop', why: request.why }, operator.name, who)
      : position.command(OPERATOR_COMMANDS[path].make(request), who, request.why)
  const outcomes = await Promise.all(
    choosePositions(all, request.position, isForAll).map(async (position): Promise<Outcome> => ({
      position: position.name,
      ...((await within(ANSWER_WITHIN_MS, () => give(position), options.reportError)) ?? silent(position)),
    })),
  )
  const accepted = outcomes.every((one) => one.accepted)
  const status = accepted ? 200 : httpStatusOf(outcomes)
  const [only] = outcomes
  if (only !== undefined && outcomes.length === 1) return { status, answer: only }
  const confirmed = outcomes.every((one) => one.confirmed === true)
  return { status, answer: { accepted, confirmed, positions: outcomes } }
}

function silent({ name }: StopPort): OperatorAnswer {
  const answer = `no answer from position ${name}: it is unknown whether the stop is in force; send it again, which is safe, and check the position's state`
  return { accepted: false, confirmed: false, answer, exitCode: EXIT_CODE.failed }
}
