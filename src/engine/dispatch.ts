import { recordAnswered } from '../pacing/record-requests.ts'
import { handleRequestsElsewhere, noteAuthSuccess } from './requests/key-access.ts'
import { judgeSuspects } from './safeguards/fill-price.ts'
import type { EngineState } from './model/state.ts'
import type { InFlight } from './requests/state.ts'
import type { ClockJumpedEvent, Event, ReloadedEvent, ReloadRefusedEvent } from './model/event.ts'
import { handleAccount, handleActivation } from './activation/on-account.ts'
import { handleFailure } from './requests/on-failure.ts'
import { handlePublicRate, handleRate } from './market/on-rate.ts'
import { handleReference, handleReferenceFailed } from './market/on-reference.ts'
import { handleOperator } from './operator/on-command.ts'
import { handleQuoteRead, handleSpreadSet } from './quote/on-quote.ts'
import { applyConfig } from './lifecycle/on-config.ts'
import { handleStarted } from './lifecycle/on-start.ts'
import {
  handleCancelSent,
  handleOrderFailed,
  handleOrderPlaced,
  handleOrderReserved,
  handleOrderWithheld,
} from './orders/on-order-events.ts'
import { handleChainRead } from './orders/on-chain-state.ts'
import { handleRfqInfo } from './orders/on-solver-info.ts'
import { handleFills } from './accounting/on-fills.ts'
import { handleBalances } from './accounting/reconcile.ts'
import { handleWithdrawn } from './accounting/transfers.ts'
import { closeRequest, isPoll } from './requests/requests.ts'
import type { Transition } from './transition.ts'
import { noteWithdrawalEnd } from './withdrawals/on-request.ts'

type Answer = Extract<Event, { request: number }>

/** Lets one event change what is true. Nothing is decided or sent here. */
export function handleEvent(transition: Transition, event: Event): void {
  if ('request' in event) return handleAnswer(transition, event)
  switch (event.type) {
    case 'started':
      return handleStarted(transition, event)
    case 'tick':
      return
    case 'clockJumped':
      return handleClockJumped(transition, event)
    case 'reference':
      return handleReference(transition, event)
    case 'referenceFailed':
      return handleReferenceFailed(transition, event)
    case 'operator':
      return handleOperator(transition, event)
    case 'reloaded':
      applyConfig(transition, event.config)
      if (event.by !== undefined) sayReload(transition, event.by, true, event.by.what)
      return transition.requestDecision('params')
    case 'requestsElsewhere':
      return handleRequestsElsewhere(transition, event)
    case 'reloadRefused':
      return handleReloadRefused(transition, event)
  }
}

/** Time goes on as it passed: nothing of a jump is adopted, but a machine whose clock jumps needs a person. */
function handleClockJumped({ alert, inform }: Transition, { aheadMs }: ClockJumpedEvent): void {
  if (aheadMs === 0) {
    const message = "the machine's clock agrees with the time that passed again"
    inform('clock-jump', message)
    return
  }
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  const message = `the machine's clock jumped: it is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the time that passed; the daemon does not follow it. Mend the clock; a restart begins with it`
  alert('clock-jump', message)
}

/** Who asked is answered; where a file changed by itself nobody waits for an answer, so somebody is told. */
function handleReloadRefused(transition: Transition, { by, problems }: ReloadRefusedEvent): void {
  if (by !== undefined) return sayReload(transition, by, false, `${by.what}: ${problems}`)
  // What is indented is the excerpt of the file below its problem.
  const [first = '', ...more] = problems.split('\n').filter((line) => !line.startsWith(' '))
  const rest = more.length === 0 ? '' : ` (and ${more.length} more in the log)`
  const message = `the configuration was not reloaded, the old one is kept: ${first}${rest}`
  transition.alert('reload-refused', message)
}

function sayReload(
  { emit, now }: Transition,
  { who, why }: NonNullable<ReloadedEvent['by']>,
  accepted: boolean,
  answer: string,
): void {
  emit({ type: 'operator', t: now, who, why, command: 'reload', accepted, answer })
}

/**
 * What the venue said is true whether or not we remember asking: after a restart with another strategy
 * the replay may number its requests otherwise, and no fill may be lost to that. The request only adds
 * what was asked for, and frees its place in the pacing.
 */
function handleAnswer(transition: Transition, event: Answer): void {
  const { state, now } = transition
  const request = closeRequest(transition, event.request)
  if (event.type === 'requestFailed') {
    if (request !== undefined) handleFailure(transition, request, event.failure, event.request)
    return
  }
  if (speaksForTheKey(event)) {
    succeeded(state)
    noteAuthSuccess(state, request)
  }
  if (request !== undefined && isPoll(request)) {
    const newFills = event.type === 'fills' ? event.fills.length : 0
    recordAnswered(state.pacing, state.config.pacing, now, request.what, { newFills })
  }
  takeAnswer(transition, event, request)
}

function takeAnswer(
  transition: Transition,
  event: Exclude<Answer, { type: 'requestFailed' }>,
  request: InFlight | undefined,
): void {
  switch (event.type) {
    case 'account':
      return handleAccount(transition, event, request)
    case 'rate':
      handleRate(transition, event)
      return judgeSuspects(transition, event, request)
    case 'publicRate':
      return handlePublicRate(transition, event)
    case 'balances':
      return handleBalances(transition, event)
    case 'fills':
      return handleFills(transition, event)
    case 'quoteRead':
      return handleQuoteRead(transition, event, request)
    case 'spreadSet':
      return handleSpreadSet(transition, event, request)
    case 'activation':
      return handleActivation(transition, event, request)
    case 'withdrawn':
      noteWithdrawalEnd(transition.state, request?.what === 'withdraw' ? request.key : undefined, 'done')
      return handleWithdrawn(transition, event)
    case 'rfqInfo':
      return handleRfqInfo(transition, event)
    case 'chainRead':
      return handleChainRead(transition, event, request)
    case 'orderReserved':
      return handleOrderReserved(transition, event)
    case 'orderWithheld':
      return handleOrderWithheld(transition, event)
    case 'orderPlaced':
      return handleOrderPlaced(transition, event)
    case 'orderFailed':
      return handleOrderFailed(transition, event)
    case 'cancelSent':
      return handleCancelSent(transition, event, request)
  }
}

/** Public endpoint, chain and we ourselves say nothing about the health of the venue and our key there. */
const SPEAKS_FOR_OTHERS: readonly Answer['type'][] = [
  'publicRate',
  'chainRead',
  'cancelSent',
  'orderReserved',
  'orderWithheld',
  'orderFailed',
]

function speaksForTheKey({ type }: Answer): boolean {
  return !SPEAKS_FOR_OTHERS.includes(type)
}

function succeeded(state: EngineState): void {
  if (state.errorCycles >= state.config.risk.errorCyclesThreshold) state.dirty ??= 'timer'
  state.errorCycles = 0
}
