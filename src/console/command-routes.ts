import type { FastifyInstance } from 'fastify'
import type { ConsoleOptions } from './console-options.ts'
import { findPosition } from './find-position.ts'
import type { Guard } from './guard.ts'
import { COMMANDS, parseCommand, type CommandName, type CommandOrder } from './parse-command.ts'
import type { CommandAnswer, PositionPort } from './position-port.ts'
import { Refusal } from './refusal.ts'
import { within } from './within.ts'

/** A command may wait for the venue: an activation takes a minute, a withdrawal settles on chain. */
const ANSWER_WITHIN_MS = 180_000
const VENUE_UNREACHABLE = 4

type Outcome = CommandAnswer & { readonly position: string }

/** POST /api/v1/pause and its kin. 200 = accepted, 409 = refused by risk or the state of things. */
export function commandRoutes(app: FastifyInstance, options: ConsoleOptions, guard: Guard): void {
  for (const name of COMMANDS) {
    app.post(
      `/api/v1/${name}`,
      { onRequest: async (request) => guard.checkCommand(request) },
      async (request, reply) => {
        const parsed = parseCommand(name, request.body)
        if (!parsed.ok) throw new Refusal(400, 'bad-request', parsed.error)
        const chosen = choose(options.positions, name, parsed.value.position)
        const outcomes = await Promise.all(chosen.map((position) => send(options, position, parsed.value)))
        const [only] = outcomes
        const body = outcomes.length === 1 && only !== undefined ? only : together(outcomes)
        return reply.code(body.accepted ? 200 : statusOf(outcomes)).send(body)
      },
    )
  }
}

/** What makes things safer goes to all positions where none is named; anything else wants a name. */
function choose(
  positions: readonly PositionPort[],
  name: CommandName,
  position: string | null,
): readonly PositionPort[] {
  const forAll = name === 'pause' || name === 'halt'
  return forAll && position === null ? positions : [findPosition(positions, position)]
}

async function send(options: ConsoleOptions, position: PositionPort, order: CommandOrder): Promise<Outcome> {
  const answer = await within(
    ANSWER_WITHIN_MS,
    () => position.command(order.command, order.who, order.why),
    options.reportError,
  )
  if (answer !== null) return { position: position.name, ...answer }
  const sentence = `no answer from position ${position.name}: it may or may not have happened; look at its state before trying again`
  return { position: position.name, accepted: false, answer: sentence, exitCode: 1 }
}

function together(outcomes: readonly Outcome[]) {
  return { accepted: outcomes.every((outcome) => outcome.accepted), positions: outcomes }
}

function statusOf(outcomes: readonly Outcome[]): number {
  const codes = outcomes.map((outcome) => outcome.exitCode)
  if (codes.includes(1)) return 503
  return codes.includes(VENUE_UNREACHABLE) ? 502 : 409
}
