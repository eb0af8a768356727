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
/** A preview runs a strategy in a separate thread. */
const PROPOSE_WITHIN_MS = 20_000
/** An accepted command may wait for the venue. */
const ACCEPT_WITHIN_MS = 185_000

const HOUR_MS = 3_600_000
/** Limit per token: each proposal costs a preview and, if it is stored, a journal event. */
export const MOST_PROPOSED_AN_HOUR = 30

const query = z.strictObject({ position: z.string().max(100).optional() })
const { answer: proposalAnswer } = PROPOSAL_ANSWERS
const answers = { 200: proposalAnswer, 409: proposalAnswer, 503: proposalAnswer }

type Answered = { readonly status: number; readonly body: object }

/**
 * GET and POST /api/v1/proposals, and POST proposals/accept and proposals/reject. Any token may propose, because a proposal
 * changes nothing. Accepting needs the permission of the proposal's command.
 */
export function proposalRoutes(app: FastifyInstance, options: ConsoleOptions, access: AccessControl): void {
  const admit = createHourlyLimit()
  const namesOf = (permission: Permission) =>
    options.credentials.filter(({ may }) => may.includes(permission)).map(({ name }) => name)
  readRoute(app, access, '/api/v1/proposals', {
    tag: 'proposals',
    summary: 'The proposals, oldest first',
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
    summary: 'Propose an action that waits for a person; changes nothing',
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
        ? 'Accept a proposal: its command is sent with your token'
        : 'Reject a proposal; changes nothing',
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

/** Throws a Refusal once a token has made too many proposals within an hour. */
function createHourlyLimit(): (name: string) => void {
  const proposed = new Map<string, readonly number[]>()
  return (name) => {
    const now = Date.now()
    const recent = (proposed.get(name) ?? []).filter((at) => now - at < HOUR_MS)
    if (recent.length >= MOST_PROPOSED_AN_HOUR) {
      const message = `${name} has made ${MOST_PROPOSED_AN_HOUR} proposals within an hour, which is the limit; wait before proposing again`
      throw new Refusal(429, 'too-many-proposals', message)
    }
    proposed.set(name, [...recent, now])
  }
}
