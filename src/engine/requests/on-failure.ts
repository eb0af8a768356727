import { noteMove } from '../withdrawals/note-move.ts'
import { recordFailed, recordRateLimited } from '../../pacing/record-requests.ts'
import { isPublicPoll } from '../../pacing/state.ts'
import { beliefLost, countMismatch, patchRefused, sideUnreadable } from '../../quoting/confirmation.ts'
import type { InFlight } from '../model/in-flight.ts'
import { checkCustody, settleOwnDeactivation } from '../safeguards/foreign-writes.ts'
import { cancelFailed } from '../orders/on-order-events.ts'
import { noteBelief, quoteAfter, STUCK_AFTER, tellStuck } from '../quote/on-quote.ts'
import { noteAuthRefusal, noteSharedKey } from './key-access.ts'
import { isPoll } from './requests.ts'
import type { Transition } from '../transition.ts'
import type { EngineState } from '../model/state.ts'
import { stopSince } from '../quote/live-quote.ts'
import type { RequestFailedEvent } from '../model/event.ts'
import type { VenueFailure } from '../model/venue-answer.ts'
import { notePollUnreadable } from '../accounting/unreadable.ts'
import { notePublicRateFailed } from '../market/pair-alerts.ts'
import { noteSweepFailed } from '../activation/half-sweep.ts'
import { noteLeavingRefused } from '../activation/leaving.ts'
import { recordActivationFailed } from '../model/activation-state.ts'
import { recordUnknownWithdrawal, forgetWithdrawal } from '../model/withdrawal-state.ts'

/** A request that brought no answer, or a no. What it was about decides what is now unknown. */
export function handleFailure(
  transition: Transition,
  { failure, request: id }: RequestFailedEvent,
  request: InFlight | undefined,
): void {
  if (request === undefined) return
  const { state, now } = transition
  const meaning = request.what === 'patch' ? { meaning: quoteAfter(state.quoting, failure) } : {}
  transition.emit({ type: 'requestFailed', t: now, request: id, failure, ...meaning })
  if (request.what === 'cancelOrders') return cancelFailed(transition, request.salts, failure.message)
  // The chain is read again at its own pace; how long ago it was read is what counts.
  if (request.what === 'chainRead') return
  state.failedRequests += 1
  const isPublic = isPoll(request) && isPublicPoll(request.what)
  if (failure.kind === 'rate-limit') {
    if (!isPublic) noteSharedKey(transition)
    recordRateLimited(
      state.pacing,
      state.config.pacing,
      now,
      failure.retryAfterMs,
      isPublic ? 'public' : 'key',
    )
  } else if (!isPublic && failure.kind !== 'refused') {
    state.errorCycles += 1
    if (state.errorCycles === state.config.risk.errorCyclesThreshold) transition.requestDecision('timer')
  }
  if (failure.kind === 'auth' && !isPublic) noteAuthRefusal(transition, request, failure)
  if (isPoll(request)) failedPoll(transition, request, failure)
  else failedWrite(transition, request, failure, id)
}

/** A stop is not refused by what was sent before it, nor by an activation. */
function noteRefusedWrite(state: EngineState, request: InFlight, { status, message }: VenueFailure): void {
  const { what, sentAt } = request
  if (what !== 'patch' && what !== 'activate') return
  const since = stopSince(state)
  const isOfStop = what === 'patch' || !request.isActive
  if (since === null || (isOfStop && sentAt >= since))
    state.refusedWrite = { status, message, at: state.now, what }
}

function failedPoll(
  transition: Transition,
  request: Extract<InFlight, { what: string }>,
  failure: VenueFailure,
): void {
  const { state, now } = transition
  if (!isPoll(request)) return
  recordFailed(state.pacing, now, request.what)
  notePollUnreadable(transition, request.what, failure)
  if (isPublicPoll(request.what)) notePublicRateFailed(transition, failure.message)
  // News of a position that was active: the account tells.
  if (failure.code === 'POSITION_INACTIVE' && state.activation.isActive === true)
    transition.expedite('account')
  const side = request.what === 'quoteBid' ? 'bid' : request.what === 'quoteAsk' ? 'ask' : null
  // A read-back only shows what stands; what should stand must not wait for an endpoint that is broken.
  if (side !== null && failure.kind !== 'rate-limit') {
    sideUnreadable(state.quoting, side)
    transition.requestDecision('timer')
  }
}

function failedWrite(transition: Transition, request: InFlight, failure: VenueFailure, id: number): void {
  const { state, now } = transition
  transition.requestDecision('timer')
  noteRefusedWrite(state, request, failure)
  if (request.what === 'patch') {
    const before = state.quoting.belief
    if (failure.outcome === 'unknown') {
      beliefLost(state.quoting, `PATCH /spread had no clear answer (${failure.kind})`)
      // Also when it was unknown already: what was read before this PATCH says nothing any longer.
      transition.expedite('quoteBid')
      transition.expedite('quoteAsk')
    } else patchRefused(state.quoting)
    noteBelief(transition, before)
    if (state.quoting.failures === STUCK_AFTER) tellStuck(transition, failure.message)
    // A clear no: what stood before still stands, and that is not what safety asked for.
    if (failure.kind === 'refused') countMismatch(state.quoting)
  }
  if (request.what === 'activate') {
    recordActivationFailed(state.activation, now, failure)
    if (request.isActive) noteSweepFailed(state, failure, now)
    else noteLeavingRefused(state, failure.code, now)
    if (failure.outcome === 'failed') settleOwnDeactivation(state, id)
    if (failure.code === 'SELF_CUSTODY_ENABLED') checkCustody(transition)
    transition.expedite('account')
    transition.expedite('balances')
  }
  if (request.what === 'withdraw' && failure.outcome === 'unknown') {
    recordUnknownWithdrawal(state.withdrawals, request, now)
    noteMove(transition, request, 'unknown')
    transition.expedite('balances')
    transition.alert(
      'withdrawal-unknown',
      'a withdrawal had no clear answer; it is not sent again, the balances will tell whether it went out',
    )
  }
  if (request.what === 'withdraw' && failure.outcome === 'failed') {
    forgetWithdrawal(state.withdrawals, request)
    noteMove(transition, request, 'failed')
  }
}
