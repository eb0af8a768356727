import { reportMove } from './report-move.ts'
import { listed, type WithdrawalRequest } from '../model/withdrawal-state.ts'
import type { Ms } from '../../../base/time.ts'
import { type CommandAnswer, no, yes } from '../../../base/command-answer.ts'
import { maySend, maySendFrom } from '../../pacing/budget.ts'
import type { WithdrawConfig } from '../model/config.ts'
import type { EngineState } from '../model/state.ts'
import type { OperatorCommand } from '../model/event.ts'
import type { Transition } from '../transition.ts'
import {
  DRY_RUN,
  forbiddenTransfer,
  isGuarded,
  needsApproval,
  sendTransfer,
  spanText,
  transferObstacle,
  transferText,
} from './transfer-rules.ts'

type Withdrawal = Extract<OperatorCommand, { readonly name: 'withdraw' }>

/** The beginning of the answer if the withdrawal was sent at once. */
export const WITHDRAWING = 'withdrawing'

/** Number of ended requests that are kept, so that a repeated key names the same withdrawal. */
const REMEMBERED = 1_000

/** Withdraws tokens, at once or after the approval of another token. */
export function requestWithdrawal(transition: Transition, command: Withdrawal, who: string): CommandAnswer {
  const { state, now } = transition
  const { key, by } = command
  if (state.config.mode === 'dry-run') return no(DRY_RUN)
  const isOfTreasury = command.approvedBy !== undefined
  if (!isGuarded(state.config.withdraw) && !isOfTreasury) return sendAtOnce(transition, command, null, who)
  if (key === undefined)
    return refuse(transition, 'it has no key; a key ensures that a repeated request is the same withdrawal')
  const known = state.withdrawals.requests.find((request) => request.key === key)
  if (known !== undefined) return isSame(known, command) ? standing(known) : refuse(transition, KEY_USED)
  const forbidden = forbiddenTransfer(transition, command)
  if (forbidden !== null) return refuse(transition, forbidden)
  const { asset, amount, toAddress } = command
  const request = { key, asset, amount, toAddress, who, by: by ?? null, requestedAt: now }
  // The treasury's envelope was approved and its cool-off is over: the withdrawal in it needs no second approval.
  if (isOfTreasury || !needsApproval(transition, command)) {
    const approvedBy = command.approvedBy?.join(', ') ?? null
    const sent = sendAtOnce(transition, command, key, who)
    if (sent.accepted) remember(state, { ...request, stage: 'sent', approvedBy, sendAt: now })
    return sent
  }
  if (by === undefined)
    return refuse(
      transition,
      'it needs the approval of another token, so it has to be requested with a token too',
    )
  remember(state, { ...request, stage: 'waiting', approvedBy: null, sendAt: null })
  reportMove(transition, request, 'waiting')
  const { approvalWithinMs, coolOffMs } = timesOf(state.config.withdraw)
  const text = `${who} requests a withdrawal of ${transferText(command)} (key ${key}): another token has to approve it within ${spanText(approvalWithinMs)}, and it leaves ${spanText(coolOffMs)} after that; \`mizani withdrawal cancel\` cancels it`
  transition.alert('withdrawal-requested', text)
  return yes(`requested, nothing has left: ${text}`)
}

/** Approves a withdrawal with another token than the one that requested it. */
export function approveWithdrawal(
  transition: Transition,
  key: string,
  by: string | null,
  who: string,
): CommandAnswer {
  const { state, now } = transition
  const request = state.withdrawals.requests.find((one) => one.key === key)
  if (request === undefined) return no(`there is no withdrawal with the key ${key}`)
  if (request.stage !== 'waiting' && request.heldAt === undefined) return standing(request)
  if (by === null) return no('an approval needs a token')
  if (state.config.mode === 'dry-run') return no(DRY_RUN)
  if (by === request.by) return no(`${by} requested it: another token has to approve it`)
  const { coolOffMs } = timesOf(state.config.withdraw)
  Object.assign(request, { stage: 'approved', approvedBy: by, sendAt: now + coolOffMs, heldAt: undefined })
  reportMove(transition, request, 'approved')
  const text = `${who} approves the withdrawal of ${transferText(request)} that ${request.who} requested (key ${key}): it leaves in ${spanText(coolOffMs)}; \`mizani withdrawal cancel\` stops it until then`
  transition.alert('withdrawal-approved', text)
  return yes(text)
}

/** Cancels a withdrawal that has not left; null = all of them. Every token that may operate, request or approve may cancel. */
export function cancelWithdrawals(transition: Transition, key: string | null, who: string): CommandAnswer {
  const { requests } = transition.state.withdrawals
  const chosen = requests.filter((one) => (key === null ? isOpen(one) : one.key === key))
  const answers = chosen.map((one) => cancelWithdrawal(transition, one, who))
  const [
    first = key === null ? yes('no withdrawal is open') : no(`there is no withdrawal with the key ${key}`),
  ] = answers
  return answers.length < 2 ? first : yes(answers.map(({ answer }) => answer).join('; '))
}

function cancelWithdrawal(transition: Transition, request: WithdrawalRequest, who: string): CommandAnswer {
  if (!isOpen(request)) return standing(request)
  request.stage = 'cancelled'
  reportMove(transition, request, 'cancelled')
  const text = `${who} cancels the withdrawal of ${transferText(request)} that ${request.who} requested (key ${request.key}): nothing has left`
  transition.alert('withdrawal-cancelled', text)
  return yes(text)
}

/** A halt holds approved withdrawals that have not left; only another approval releases them. */
export function holdWithdrawals({ state, now }: Transition): void {
  const { withdrawals, config } = state
  if (config.withdraw.haltHolds !== true) return
  withdrawals.heldSince = now
  for (const request of withdrawals.requests) if (request.stage === 'approved') request.heldAt ??= now
}

/** Sends approved withdrawals after their cool-off and ends unapproved ones. Returns when it has to be called again. */
export function reconcileWithdrawals(transition: Transition): Ms {
  const { state, now } = transition
  // A withdrawal that is approved during a halt is not held by it.
  if ((state.latch.halted?.since ?? -1) > (state.withdrawals.heldSince ?? -1)) holdWithdrawals(transition)
  if (state.exiting || state.withdrawals.requests.length === 0) return Infinity
  const open = state.withdrawals.requests.filter(isOpen)
  const { approvalWithinMs } = timesOf(state.config.withdraw)
  for (const request of open) advance(transition, request, approvalWithinMs)
  const dueAt = open.filter(isOpen).map((request) => {
    const since = request.sendAt ?? request.requestedAt
    if (request.sendAt !== null && now < request.sendAt) return request.sendAt
    const isHeld = !maySend(state.pacing, state.config.pacing, now, 'safety')
    const retryAt = isHeld ? maySendFrom(state.pacing, state.config.pacing, now, 'safety') : Infinity
    return Math.min(since + approvalWithinMs, request.sendAt === null ? Infinity : retryAt)
  })
  return Math.min(Infinity, ...dueAt)
}

function advance(transition: Transition, request: WithdrawalRequest, approvalWithinMs: Ms): void {
  const { now } = transition
  const { sendAt } = request
  if (sendAt !== null && now < sendAt) return
  const forbidden = sendAt === null ? null : forbiddenTransfer(transition, request)
  if (forbidden !== null) return end(transition, request, 'failed', forbidden)
  const obstacle =
    sendAt === null
      ? 'it was not approved in time'
      : (heldText(request) ?? transferObstacle(transition, request))
  if (obstacle === null) {
    request.stage = 'sent'
    return sendTransfer(transition, request, request.key)
  }
  if (now >= (sendAt ?? request.requestedAt) + approvalWithinMs) end(transition, request, 'expired', obstacle)
}

function end(
  transition: Transition,
  request: WithdrawalRequest,
  stage: 'failed' | 'expired',
  why: string,
): void {
  request.stage = stage
  reportMove(transition, request, stage)
  const text = `the withdrawal of ${transferText(request)} that ${request.who} requested (key ${request.key}) has ended and nothing has left: ${why}`
  transition.alert('withdrawal-ended', text)
}

/** Applies the withdrawal rules of a start: new destinations begin their waiting time, and wider rules raise an alert. */
export function applyWithdrawRules(
  transition: Transition,
  before: WithdrawConfig,
  after: WithdrawConfig,
): void {
  const { withdrawals } = transition.state
  withdrawals.destinations = listed(after.destinations, withdrawals.destinations, transition.now)
  const wider = widerThan(before, after)
  if (wider.length === 0) return
  const text = `the configuration permits larger withdrawals than at the last start: ${wider.join('; ')}`
  transition.alert('withdraw-widened', text)
}

function widerThan(before: WithdrawConfig, after: WithdrawConfig): readonly string[] {
  const wider: string[] = []
  if (!after.enabled) return wider
  if (!before.enabled) wider.push('withdrawals are on')
  const had = before.destinations.map((one) => one.toLowerCase())
  const added = after.destinations.filter((one) => !had.includes(one.toLowerCase()))
  if (added.length > 0) wider.push(`new destinations: ${added.join(', ')}`)
  for (const [asset, cap] of Object.entries(after.maxPerDay))
    if (cap > (before.maxPerDay[asset as keyof typeof before.maxPerDay] ?? 0n))
      wider.push(`withdraw.maxPerDay of ${asset} is larger`)
  const [limitBefore, limit] = [before.approvalAboveUsd, after.approvalAboveUsd]
  if (typeof limitBefore === 'bigint' && (limit === null || limit === undefined || limit > limitBefore))
    wider.push('withdraw.approvalAboveUsd permits more without a second person')
  if (isGuarded(before) && timesOf(after).coolOffMs < timesOf(before).coolOffMs)
    wider.push('withdraw.coolOffMs is shorter')
  return wider
}

function sendAtOnce(
  transition: Transition,
  command: Withdrawal,
  key: string | null,
  who: string,
): CommandAnswer {
  const why = forbiddenTransfer(transition, command) ?? transferObstacle(transition, command)
  if (why !== null) return refuse(transition, why)
  sendTransfer(transition, { ...command, who }, key)
  return yes(`${WITHDRAWING} ${transferText(command)}`)
}

function remember(state: EngineState, request: WithdrawalRequest): void {
  const { withdrawals } = state
  const ended = withdrawals.requests.filter((one) => !isOpen(one)).slice(-REMEMBERED)
  withdrawals.requests = [
    ...withdrawals.requests.filter((one) => isOpen(one) || ended.includes(one)),
    request,
  ]
}

function isOpen({ stage }: WithdrawalRequest): boolean {
  return stage === 'waiting' || stage === 'approved'
}

/** Returns why a halt holds the withdrawal; null = not held. */
function heldText({ heldAt }: WithdrawalRequest): string | null {
  return heldAt === undefined
    ? null
    : 'is held since a halt, and nothing has left; another approval releases it'
}

function isSame(request: WithdrawalRequest, { asset, amount, toAddress }: Withdrawal): boolean {
  const isSameAddress = request.toAddress.toLowerCase() === toAddress.toLowerCase()
  return request.asset === asset && request.amount === amount && isSameAddress
}

const KEY_USED = 'this key belongs to another withdrawal; use a new one'

const STANDING: Readonly<Record<WithdrawalRequest['stage'], CommandAnswer>> = {
  waiting: yes('waits for the approval of another token; nothing has left'),
  approved: yes('is approved and waits until its cool-off is over; nothing has left'),
  sent: yes('was sent and is not answered yet; it is not sent again'),
  done: yes('was done, confirmed by the venue; it is not sent again'),
  unknown: no('had no clear answer; it is not sent again; the balances will show the outcome'),
  failed: no('has failed and nothing has left; use a new key to try again'),
  cancelled: no('was cancelled and nothing has left; use a new key to request it again'),
  expired: no('has expired and nothing has left; use a new key to request it again'),
}

function standing(request: WithdrawalRequest): CommandAnswer {
  const { accepted, answer: stage } = STANDING[request.stage]
  const answer = heldText(request) ?? stage
  return { accepted, answer: `the withdrawal of ${transferText(request)} (key ${request.key}) ${answer}` }
}

function timesOf({ coolOffMs = 0, approvalWithinMs = 0 }: WithdrawConfig): {
  readonly coolOffMs: Ms
  readonly approvalWithinMs: Ms
} {
  return { coolOffMs, approvalWithinMs }
}

function refuse(transition: Transition, answer: string): CommandAnswer {
  const message = `withdrawal refused: ${answer}`
  transition.emit({ type: 'refusal', t: transition.now, rule: 'withdrawal', limit: '', actual: '', message })
  return no(answer)
}
