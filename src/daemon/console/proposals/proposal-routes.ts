import { EXIT_CODE } from '../../../base/exit-code.ts'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { proposalView } from '../../view/proposal-view.ts'
import { whoOf, type Operator } from '../auth/credentials.ts'
import { PERMISSIONS, type Permission } from '../auth/permissions.ts'
import type { AccessControl } from '../auth/access-control.ts'
import type { OperatorAnswer, PositionPort } from '../position-port.ts'
import { findPosition, within } from '../server/ask-position.ts'
import type { ConsoleOptions } from '../server/options.ts'
import { postRoute, readRoute } from '../routes.ts'
import { Refusal } from '../refusal.ts'
import { acceptable, executeProposal } from './execute-proposal.ts'
import { ACCEPT_NEEDS, PROPOSAL_ANSWERS, PROPOSAL_BODIES, proposalOf } from './proposal-bodies.ts'

const READ_WITHIN_MS = 2_000
/** A preview runs a strategy in a thread of its own. */
const PROPOSE_WITHIN_MS = 20_000
/** The command that is accepted may wait for the venue. */
const ACCEPT_WITHIN_MS = 185_000

const HOUR_MS = 3_600_000
/** From one token: each costs a preview and, where it is taken, an event of the journal. */
export const MOST_PROPOSED_AN_HOUR = 30

const query = z.strictObject({ position: z.string().max(100).optional() })
const { answer: proposalAnswer } = PROPOSAL_ANSWERS
const answers = { 200: proposalAnswer, 409: proposalAnswer, 503: proposalAnswer }

type Answered = { readonly status: number; readonly body: object }

/**
 * GET and POST /api/v1/proposals, and a person's answer below it. Who may read may propose: a proposal changes nothing.
 * Accepting asks for the permission of the command that it stands for.
 */
export function proposalRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  const admit = createHourlyLimit()
  const namesOf = (permission: Permission) =>
    options.credentials.filter(({ may }) => may.includes(permission)).map(({ name }) => name)
  readRoute(app, access, '/api/v1/proposals', {
    tag: 'proposals',
    summary: 'What was proposed to people, oldest first',
    query,
    answer: PROPOSAL_ANSWERS.list,
    async handle({ position: name }) {
      const position = findPosition(options.positions, name ?? null)
      const all = await within(READ_WITHIN_MS, () => position.proposals(), options.reportError)
      if (all === null) throw new Refusal(503, 'position-silent', `position ${position.name} does not answer`)
      return {
        position: position.name,
        proposals: all.map((one) => {
          const needs = ACCEPT_NEEDS[one.action.kind]
          return proposalView(one, needs, { readers: namesOf('read'), approvers: namesOf(needs) })
        }),
      }
    },
  })
  postRoute(app, access, '/api/v1/proposals', {
    tag: 'proposals',
    summary: 'Propose something that waits for a person; nothing is changed',
    needs: PERMISSIONS,
    body: PROPOSAL_BODIES.propose,
    answers,
    async handle(body, operator, _request, reply) {
      const { status, body: answer } = await propose(options, body, operator, admit)
      return reply.code(status).send(answer)
    },
  })
  for (const name of ['accept', 'reject'] as const) answerRoute(app, options, access, name)
}

async function propose(
  options: ConsoleOptions,
  body: z.output<typeof PROPOSAL_BODIES.propose>,
  operator: Operator,
  admit: (name: string) => void,
): Promise<Answered> {
  const position = findPosition(options.positions, body.position ?? null)
  const asked = proposalOf(body)
  if (!asked.ok) throw new Refusal(400, 'bad-request', asked.error)
  admit(operator.name)
  const id = randomBytes(8).toString('hex')
  const who = body.who === undefined ? operator.name : `${operator.name} (${body.who})`
  return answered(options, position, id, PROPOSE_WITHIN_MS, () =>
    position.propose(asked.value, { id, token: operator.name, who, why: body.why }),
  )
}

function answerRoute(
  app: FastifyInstance,
  options: ConsoleOptions,
  access: AccessControl,
  name: 'accept' | 'reject',
): void {
  postRoute(app, access, `/api/v1/proposals/${name}`, {
    tag: 'proposals',
    summary:
      name === 'accept'
        ? 'Accept a proposal: its command is given with your token'
        : 'Reject a proposal; nothing is changed',
    needs: ['operate', 'withdraw', 'approve'],
    body: PROPOSAL_BODIES.answer,
    answers,
    async handle({ position: named, who, id, why }, operator, _request, reply) {
      const position = findPosition(options.positions, named ?? null)
      const claims = who ?? null
      const proposal = name === 'accept' ? await acceptable(position, id, operator) : null
      if (name === 'accept' && proposal === null) {
        const missing = { position: position.name, id, accepted: false, answer: `there is no proposal ${id}` }
        return reply.code(409).send(missing)
      }
      const { status, body } =
        proposal === null
          ? await answered(options, position, id, READ_WITHIN_MS, () =>
              position.answerProposal({ name, id }, whoOf(operator, claims), why),
            )
          : await answered(options, position, id, ACCEPT_WITHIN_MS, () =>
              executeProposal(position, proposal, { operator, claims, why }),
            )
      return reply.code(status).send(body)
    },
  })
}

async function answered(
  { reportError }: ConsoleOptions,
  position: PositionPort,
  id: string,
  withinMs: number,
  ask: () => Promise<OperatorAnswer>,
): Promise<Answered> {
  const answer = await within(withinMs, ask, reportError)
  const given = answer ?? {
    accepted: false,
    answer: `no answer from position ${position.name}: the outcome is unknown; look at its proposals`,
    exitCode: EXIT_CODE.failed,
  }
  const status = given.accepted ? 200 : given.exitCode === EXIT_CODE.failed ? 503 : 409
  return { status, body: { position: position.name, id, ...given } }
}

/** Throws a Refusal once a token has proposed too much within the hour. */
function createHourlyLimit(): (name: string) => void {
  const proposed = new Map<string, readonly number[]>()
  return (name) => {
    const now = Date.now()
    const recent = (proposed.get(name) ?? []).filter((at) => now - at < HOUR_MS)
    if (recent.length >= MOST_PROPOSED_AN_HOUR) {
      const message = `${name} has proposed ${MOST_PROPOSED_AN_HOUR} times within an hour, which is all that is taken; wait, and propose what matters`
      throw new Refusal(429, 'too-many-proposals', message)
    }
    proposed.set(name, [...recent, now])
  }
}
