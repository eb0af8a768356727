import type { FastifyInstance } from 'fastify'
import { ANSWER_SCHEMAS } from '../answers.ts'
import { checkedKey, createAnsweredOnce, type GivenAnswer } from './answered-once.ts'
import {
  COMMAND_BODIES,
  COMMAND_HEADERS,
  COMMANDS,
  exitCodeOfSilence,
  type StartName,
  withWhy,
} from './command-bodies.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { whoOf, type Operator, type Permission } from '../auth/credentials.ts'
import { choosePositions, within } from '../server/ask-position.ts'
import type { Guard } from '../auth/guard.ts'
import { parseCommand, type CommandOrder } from './parse-command.ts'
import type { CommandAnswer, PositionPort } from '../position-port.ts'
import { Refusal } from '../refusal.ts'

/** A command may wait for the venue: an activation takes a minute, a withdrawal settles on chain. */
const ANSWER_WITHIN_MS = 180_000
const VENUE_UNREACHABLE = 4

const SUMMARIES: Readonly<Record<StartName, string>> = {
  resume: 'Lift a pause or a halt; may book an unreconciled difference',
  activate: 'Bring the position into the market',
  withdraw: 'Send tokens from the wallet to a listed address, within the day’s cap, or request that',
  approveWithdrawal: 'Agree to a withdrawal that another token requested; it leaves after the cool-off',
  ack: 'Take open alerts in hand: people are no longer reminded of them',
  reload: 'Read the configuration again, or set parameters within their schema',
}

/** What a token must be allowed to do, one of these, to give a command. */
const NEEDS: Readonly<Record<StartName, readonly Permission[]>> = {
  resume: ['operate'],
  activate: ['operate'],
  withdraw: ['withdraw'],
  approveWithdrawal: ['approve'],
  ack: ['operate'],
  reload: ['operate'],
}

const OF_THE_CORE: readonly StartName[] = ['withdraw', 'resume', 'activate']

type Sender = { readonly operator: Operator; readonly key: string | null }
type Outcome = CommandAnswer & { readonly position: string }

/** POST /api/v1/resume and its kin; what stops something is in stops. 200 = accepted, 409 = refused by risk or the state of things. */
export function commandRoutes(app: FastifyInstance, options: ConsoleOptions, guard: Guard): void {
  const answeredOnce = createAnsweredOnce()
  for (const name of COMMANDS) {
    app.post(
      `/api/v1/${name}`,
      {
        onRequest: async (request) => void guard.checkCommand(request, NEEDS[name]),
        preValidation: async (request) => void (request.body = withWhy(request.body)),
        schema: {
          tags: ['commands'],
          summary: SUMMARIES[name],
          security: [{ token: [] }],
          headers: COMMAND_HEADERS,
          body: COMMAND_BODIES[name],
          response: {
            200: ANSWER_SCHEMAS.command,
            409: ANSWER_SCHEMAS.command,
            502: ANSWER_SCHEMAS.command,
            503: ANSWER_SCHEMAS.command,
            default: ANSWER_SCHEMAS.error,
          },
        },
      },
      async (request, reply) => {
        const { headers, body } = request
        const operator = guard.checkCommand(request, NEEDS[name])
        const header = headers['idempotency-key']
        const key = Array.isArray(header) ? header.join() : header
        const { status, isReplay, ...given } = await answeredOnce(
          // These keys are the core's to know: they outlive this process.
          OF_THE_CORE.includes(name) ? undefined : key,
          JSON.stringify([operator.name, name, body]),
          () => obey(options, name, body, { operator, key: key ?? null }),
        )
        if (isReplay) void reply.header('idempotency-replayed', 'true')
        return reply.code(status).send(given.body)
      },
    )
  }
}

async function obey(
  options: ConsoleOptions,
  name: StartName,
  body: unknown,
  sender: Sender,
): Promise<GivenAnswer> {
  const parsed = parseCommand(name, body, { by: sender.operator.name, key: sender.key })
  if (!parsed.ok) throw new Refusal(400, 'bad-request', parsed.error)
  const isStart = name === 'resume' || name === 'activate'
  const key = isStart && sender.key !== null ? checkedKey(sender.key) : undefined
  const chosen = choosePositions(options.positions, parsed.value.position, name === 'ack')
  const outcomes = await Promise.all(
    chosen.map((position) => send(options, position, parsed.value, sender.operator, key)),
  )
  const [only] = outcomes
  const answer = outcomes.length === 1 && only !== undefined ? only : together(outcomes)
  return { status: answer.accepted ? 200 : httpStatusOf(outcomes), body: answer }
}

async function send(
  options: ConsoleOptions,
  position: PositionPort,
  { command, claims, why }: CommandOrder,
  operator: Operator,
  key: string | undefined,
): Promise<Outcome> {
  const answer = await within(
    ANSWER_WITHIN_MS,
    () => position.command(command, whoOf(operator, claims), why, key),
    options.reportError,
  )
  if (answer !== null) return { position: position.name, ...answer }
  const sentence = `no answer from position ${position.name}: the outcome is unknown; look at its state before trying again`
  const exitCode = exitCodeOfSilence(command.name)
  return { position: position.name, accepted: false, answer: sentence, exitCode }
}

function together(outcomes: readonly Outcome[]) {
  return { accepted: outcomes.every((outcome) => outcome.accepted), positions: outcomes }
}

/** The status of an answer that was refused by at least one position. */
export function httpStatusOf(outcomes: readonly Pick<CommandAnswer, 'exitCode'>[]): number {
  const codes = outcomes.map((outcome) => outcome.exitCode)
  if (codes.includes(1) || codes.includes(5)) return 503
  return codes.includes(VENUE_UNREACHABLE) ? 502 : 409
}
