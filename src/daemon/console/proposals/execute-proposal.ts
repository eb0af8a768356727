import type { Proposal } from '../../../core/engine/model/proposal-state.ts'
import { whoOf, type Operator } from '../auth/credentials.ts'
import type { OperatorAnswer, PositionPort } from '../position-port.ts'
import { Refusal } from '../refusal.ts'
import { ACCEPT_NEEDS } from './proposal-bodies.ts'

type Acceptance = {
  readonly operator: Operator
  /** The name that the bearer of a shared token gives; null = none. */
  readonly claims: string | null
  readonly why: string
}

/** Returns the proposal with this id; null = it does not exist. Throws a Refusal if the token may not send its command. */
export async function acceptable(
  position: PositionPort,
  id: string,
  { name, may }: Operator,
): Promise<Proposal | null> {
  const all = await position.proposals()
  if (all === null)
    throw new Refusal(
      503,
      'position-silent',
      `position ${position.name} does not answer; nothing was changed`,
    )
  const proposal = all.find((one) => one.id === id)
  if (proposal === undefined) return null
  const needs = ACCEPT_NEEDS[proposal.action.kind]
  if (may.includes(needs)) return proposal
  const message = `the token of ${name} may ${may.join(', ')}, and accepting this needs ${needs}`
  throw new Refusal(403, 'not-permitted', message)
}

/**
 * Records who accepts, sends the proposal's command with that person's token, and records the outcome. The command passes
 * the same checks as without a proposal, so a proposal grants no permission.
 */
export async function executeProposal(
  position: PositionPort,
  proposal: Proposal,
  { operator, claims, why }: Acceptance,
): Promise<OperatorAnswer> {
  const { id } = proposal
  const who = whoOf(operator, claims)
  // Record it first, so that of two concurrent acceptances only one sends the command.
  const claimed = await position.answerProposal({ name: 'accept', id }, who, why)
  if (!claimed.accepted) return claimed
  const reason = `proposal ${id} of ${proposal.who}: ${why}`
  const done = await give(position, proposal, operator, who, reason)
  const outcome = done.answer.slice(0, MOST_OUTCOME_CHARACTERS)
  await position.answerProposal({ name: 'close', id, isDone: done.accepted, outcome }, who, why)
  return done
}

const MOST_OUTCOME_CHARACTERS = 1_000

function give(
  position: PositionPort,
  { id, action }: Proposal,
  operator: Operator,
  who: string,
  why: string,
): Promise<OperatorAnswer> {
  switch (action.kind) {
    case 'configuration':
      return position.command(
        { name: 'reload', by: operator.name, changes: action.changes, fromFile: false },
        who,
        why,
      )
    case 'withdrawal': {
      const { asset, amount, toAddress } = action
      const key = `proposal-${id}`
      return position.command(
        { name: 'withdraw', asset, amount, toAddress, key, by: operator.name },
        who,
        why,
      )
    }
    case 'approval': {
      const { intent, envelope } = action
      return position.treasuryOrder({ name: 'approve', intent, envelope }, operator.name, who)
    }
    case 'payout': {
      const { payee, asset, amount } = action
      return position.treasuryOrder({ name: 'payout', payee, asset, amount, why }, operator.name, who)
    }
  }
}
