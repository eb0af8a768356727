import { EXIT_CODE } from '../../../base/exit-code.ts'
import type { FastifyInstance } from 'fastify'
import { ANSWER_SCHEMAS } from '../answers.ts'
import type { GivenAnswer } from './answered-once.ts'
import { commandBody, type CommonBody, exitCodeOfSilence } from './command-bodies.ts'
import { type ConsoleCommand, keyProblem, type StartName } from './command-entry.ts'
import { OPERATOR_COMMANDS, START_NAMES } from './operator-commands.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { whoOf, type Operator } from '../auth/credentials.ts'
import { choosePositions, within } from '../server/ask-position.ts'
import { onceRoutes } from '../routes.ts'
import type { AccessControl } from '../auth/access-control.ts'
import type { OperatorAnswer, PositionPort } from '../position-port.ts'
import { Refusal } from '../refusal.ts'

/** A command may wait for the venue: an activation takes a minute, and a withdrawal settles on chain. */
const ANSWER_WITHIN_MS = 180_000

type Sender = { readonly operator: Operator; readonly key: string | null }
type Outcome = OperatorAnswer & { readonly position: string }

/** POST routes of every command that is not a stop. 200 = accepted, 409 = refused by risk or the current state. */
export function commandRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  const addRoute = onceRoutes(app, access)
  const { command } = ANSWER_SCHEMAS
  for (const name of START_NAMES) {
    const { summary, needs, keptBy } = OPERATOR_COMMANDS[name]
    addRoute(`/api/v1/${name}`, {
      tag: 'commands',
      summary,
      needs,
      name,
      body: commandBody(name),
      answers: { 200: command, 409: command, 502: command, 503: command },
      isKeptHere: keptBy === 'process',
      act: (body, operator, key) => sendCommand(options, name, body, { operator, key }),
    })
  }
}

async function sendCommand(
  options: ConsoleOptions,
  name: StartName,
  body: CommonBody,
  { operator, key }: Sender,
): Promise<GivenAnswer> {
  const { make, keptBy, isForAll = false } = OPERATOR_COMMANDS[name]
  // The route has validated the body with the same entry's schema.
  const made = make(body as never, { by: operator.name, key })
  if (!made.ok) throw new Refusal(400, 'bad-request', made.error)
  const problem = keptBy === 'event' && key !== null ? keyProblem(key) : null
  if (problem !== null) throw new Refusal(400, 'bad-key', problem)
  const given = {
    command: made.value,
    who: whoOf(operator, body.who ?? null),
    why: body.why,
    key: keptBy === 'event' ? (key ?? undefined) : undefined,
  }
  const chosen = choosePositions(options.positions, body.position ?? null, isForAll)
  const outcomes = await Promise.all(chosen.map((position) => send(options, position, given)))
  const [only] = outcomes
  const answer = outcomes.length === 1 && only !== undefined ? only : together(outcomes)
  return { status: answer.accepted ? 200 : httpStatusOf(outcomes), body: answer }
}

type Given = {
  readonly command: ConsoleCommand
  readonly who: string
  readonly why: string
  readonly key: string | undefined
}

async function send(
  options: ConsoleOptions,
  position: PositionPort,
  { command, who, why, key }: Given,
): Promise<Outcome> {
  const answer = await within(
    ANSWER_WITHIN_MS,
    () => position.command(command, who, why, key),
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

/** Returns the HTTP status of an answer that at least one position refused. */
export function httpStatusOf(outcomes: readonly Pick<OperatorAnswer, 'exitCode'>[]): number {
  const codes = outcomes.map((outcome) => outcome.exitCode)
  if (codes.includes(EXIT_CODE.failed) || codes.includes(EXIT_CODE.unknown)) return 503
  return codes.includes(EXIT_CODE.unconfirmed) ? 502 : 409
}
