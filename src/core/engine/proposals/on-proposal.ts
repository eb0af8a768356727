import { encodeJson } from '../../../base/codec.ts'
import { type CommandAnswer, no, yes } from '../../../base/command-answer.ts'
import type { Ms } from '../../../base/time.ts'
import {
  type ProposalEvent,
  type ProposalOrder,
  EXPIRES_AFTER_MS,
  isBoxFull,
  MOST_OPEN,
  MOST_OPEN_OF_TOKEN,
  MOST_PROPOSAL_BYTES,
  MOST_SETTLED,
  openProposals,
  type Proposal,
} from '../model/proposal-state.ts'
import type { EngineState } from '../model/state.ts'
import type { Transition } from '../transition.ts'
import { forbiddenTransfer, spanText } from '../withdrawals/transfer-rules.ts'

type Add = Extract<ProposalOrder, { readonly name: 'add' }>

/** The actor of an expiry. */
const ITSELF = 'mizani'

/**
 * Keeps a proposal until an operator accepts or rejects it, or it expires. A proposal itself decides, sends and books nothing:
 * the operator who accepts it sends the command with their own token.
 */
export function handleProposal(transition: Transition, event: ProposalEvent): void {
  const { order, who, why } = event
  const { accepted, answer } = take(transition, event)
  const command = `${order.name}Proposal`
  transition.emit({ type: 'operator', t: transition.now, who, why, command, accepted, answer })
}

function take(transition: Transition, { order, who, why }: ProposalEvent): CommandAnswer {
  switch (order.name) {
    case 'add':
      return add(transition, order, who, why)
    case 'accept':
      return settle(transition, order.id, 'open', (one) => {
        Object.assign(one, { stage: 'accepted', settledBy: who, settledAt: transition.now })
        return `the proposal ${one.id} of ${one.who} is accepted: ${describe(one)}`
      })
    case 'reject':
      return settle(transition, order.id, 'open', (one) => {
        Object.assign(one, { stage: 'rejected', settledBy: who, settledAt: transition.now, outcome: why })
        return `the proposal ${one.id} of ${one.who} is rejected; nothing was changed`
      })
    case 'close':
      return settle(transition, order.id, 'accepted', (one) => {
        Object.assign(one, { stage: order.isDone ? 'done' : 'failed', outcome: order.outcome })
        return `the proposal ${one.id} ${order.isDone ? 'was executed' : 'was not executed'}: ${order.outcome}`
      })
  }
}

function add(transition: Transition, order: Add, who: string, why: string): CommandAnswer {
  const { state, now } = transition
  const { id, action, differences, claim, token } = order
  const known = state.proposals.all
  if (known.some((one) => one.id === id)) return no(`proposal ${id} already exists`)
  if (openProposals(state.proposals).length >= MOST_OPEN) {
    return no(
      `${MOST_OPEN} proposals are already waiting; no more are accepted until a person accepts or rejects some`,
    )
  }
  if (token !== undefined && isBoxFull(state.proposals, token))
    return no(
      `${MOST_OPEN_OF_TOKEN} proposals of ${token} are already waiting; propose again when a person has accepted or rejected one`,
    )
  if (encodeJson({ ...order, who, why }).length > MOST_PROPOSAL_BYTES)
    return no(`a proposal has at most ${MOST_PROPOSAL_BYTES} characters; propose less at a time`)
  const forbidden = action.kind === 'withdrawal' ? forbiddenTransfer(transition, action) : null
  if (forbidden !== null) return no(`the configuration forbids this withdrawal: ${forbidden}`)
  const proposal: Proposal = {
    id,
    action,
    differences,
    claim,
    who,
    ...(token === undefined ? {} : { token }),
    why,
    at: now,
    expiresAt: now + EXPIRES_AFTER_MS,
    stage: 'open',
    settledBy: null,
    settledAt: null,
    outcome: null,
  }
  keep(state, [...known, proposal])
  return yes(
    `nothing is changed: the proposal ${id} waits for a person, ${spanText(EXPIRES_AFTER_MS)} at most: ${describe(proposal)}`,
  )
}

/** Ends proposals that were not accepted in time. Returns when the next one expires. */
export function reconcileProposals(transition: Transition): Ms {
  const { state, now } = transition
  let next = Infinity
  for (const one of state.proposals.all) {
    if (one.stage !== 'open') continue
    if (now < one.expiresAt) {
      next = Math.min(next, one.expiresAt)
      continue
    }
    Object.assign(one, { stage: 'expired', settledBy: ITSELF, settledAt: now })
    const answer = `no one accepted the proposal ${one.id} of ${one.who} in time; nothing was changed`
    const expired = { who: ITSELF, why: 'it has expired', command: 'expireProposal', accepted: true, answer }
    transition.emit({ type: 'operator', t: now, ...expired })
  }
  return next
}

function settle(
  { state }: Transition,
  id: string,
  stage: Proposal['stage'],
  change: (one: Proposal) => string,
): CommandAnswer {
  const all = state.proposals.all
  const found = all.find((one) => one.id === id)
  if (found === undefined) return no(`there is no proposal ${id}`)
  if (found.stage !== stage) return no(`the proposal ${id} is already ${found.stage}; nothing was changed`)
  const answer = change(found)
  keep(state, all)
  return yes(answer)
}

/** Keeps all open proposals, and the latest of the others. */
function keep(state: EngineState, all: readonly Proposal[]): void {
  const settled = all.filter(({ stage }) => stage !== 'open').slice(-MOST_SETTLED)
  state.proposals = { all: all.filter((one) => one.stage === 'open' || settled.includes(one)) }
}

function describe({ differences }: Proposal): string {
  return differences.map(({ what, from, to }) => `${what}: ${from} -> ${to}`).join('; ')
}
