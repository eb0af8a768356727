import { recordFailed, recordRateLimited } from '../../pacing/record-requests.ts'
import { isPublicPoll, type PollKind } from '../../pacing/state.ts'
import type { Ms } from '../../../base/time.ts'
import type { QuotingState } from '../../quoting/quote-state.ts'
import type { RequestFailedEvent } from '../model/event.ts'
import type { InFlight } from '../model/in-flight.ts'
import type { EngineState } from '../model/state.ts'
import type { VenueFailure } from '../model/venue-answer.ts'
import type { Transition } from '../transition.ts'
import { recordAuthRefusal, alertSharedKey } from './key-access.ts'
import { isPoll } from './requests.ts'

/**
 * Handles a request that failed or was refused, as far as the key, its budget and stops are concerned. The handlers of the
 * slices follow.
 */
export function handleFailure(transition: Transition, { failure, request: id }: RequestFailedEvent): void {
  const { state, now, request } = transition
  if (request === undefined) return
  const meaning = request.what === 'patch' ? { meaning: quoteAfter(state.quoting, failure) } : {}
  transition.emit({ type: 'requestFailed', t: now, request: id, failure, ...meaning })
  // Neither request goes to the venue. The chain is read again at its interval, and rules check the age of its last reading.
  if (request.what === 'cancelOrders' || request.what === 'chainRead') return
  state.failedRequests += 1
  const isPublic = isPoll(request) && isPublicPoll(request.what)
  if (failure.kind === 'rate-limit') {
    if (!isPublic) alertSharedKey(transition)
    const budget = isPublic ? 'public' : 'key'
    recordRateLimited(state.pacing, state.config.pacing, now, failure.retryAfterMs, budget)
  } else if (!isPublic && failure.kind !== 'refused' && !isUnreadableQuote(state, request, failure)) {
    state.errorCycles += 1
    if (state.errorCycles === state.config.risk.errorCyclesThreshold) transition.requestDecision('timer')
  }
  if (failure.kind === 'auth' && !isPublic) recordAuthRefusal(transition, request, failure)
  if (isPoll(request)) return recordFailed(state.pacing, now, request.what)
  transition.requestDecision('timer')
  recordRefusedWrite(state, request, failure)
}

const QUOTE_POLLS: ReadonlySet<string> = new Set<PollKind>(['quoteBid', 'quoteAsk'])

/** Excludes an unreadable quote from error cycles: the next answer would lift that rule, and with it the safe quote. */
function isUnreadableQuote({ config }: EngineState, request: InFlight, { kind }: VenueFailure): boolean {
  return config.strictReadings && QUOTE_POLLS.has(request.what) && kind === 'malformed'
}

/** Keeps the last refused write. During a stop, requests from before it and activations do not count. */
function recordRefusedWrite(state: EngineState, request: InFlight, { status, message }: VenueFailure): void {
  const { what, sentAt } = request
  if (what !== 'patch' && what !== 'activate') return
  const since = stopSince(state)
  const isOfStop = what === 'patch' || !request.isActive
  if (since === null || (isOfStop && sentAt >= since))
    state.refusedWrite = { status, message, at: state.now, what }
}

/** Returns when the earliest active stop began, or null. */
export function stopSince({ latch, activation }: EngineState): Ms | null {
  const since = [latch.halted, latch.paused, activation.leaving].flatMap((stop) => stop?.since ?? [])
  return since.length === 0 ? null : Math.min(...since)
}

/** Returns a clause about the live quote after a failed PATCH. */
function quoteAfter(
  { status: quoteStatus, confirmed }: QuotingState,
  { outcome, status }: VenueFailure,
): string {
  if (outcome === 'unknown') return 'the live quote is unknown until it is read back'
  const what = status === null ? 'the request did not reach the venue' : 'the venue refused'
  if (quoteStatus !== 'confirmed' || confirmed === null) return `${what}; the live quote is unknown`
  return `${what}; ${confirmed.bidBps}/${confirmed.askBps} is still live`
}
