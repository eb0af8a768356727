import { nextProbedStable } from '../../market/pair-mids.ts'
import type { RoutedStable } from '../../../base/money/asset.ts'
import { RATE_ONE } from '../../../base/money/rate.ts'
import { nextPoll, nextDueAt } from '../../pacing/poll-schedule.ts'
import { type PollKind, POLL_KINDS } from '../../pacing/state.ts'
import type { Effect } from '../model/effect.ts'
import type { Transition } from '../transition.ts'
import type { EngineState } from '../model/state.ts'
import type { Ms } from '../../../base/time.ts'
import { recordAnswered, recordElsewhere, recordSent, type SentKind } from '../../pacing/record-requests.ts'
import type { Event } from '../model/event.ts'
import type { AlsoSent } from '../model/venue-answer.ts'
import { recordKeyAnswer } from './key-access.ts'
import type { InFlight } from '../model/in-flight.ts'

type Answer = Extract<Event, { readonly request: number }>

export function isAnswer(event: Event): event is Answer {
  return (event as Partial<Answer>).request !== undefined
}

/** Registers a request as in flight and counts it against its budget, if any. Returns its id. */
export function openRequest(transition: Transition, request: InFlight, counts: SentKind | null): number {
  const { state, now } = transition
  const id = state.nextRequest
  state.nextRequest += 1
  state.requests[id] = request
  if (counts !== null) recordSent(state.pacing, now, counts)
  return id
}

export function isPoll(request: InFlight): request is Extract<InFlight, { what: PollKind }> {
  return (POLL_KINDS as readonly string[]).includes(request.what)
}

/** Returns whether a withdrawal is in flight: until it is answered the location of its tokens is unknown. */
export function isWithdrawing({ requests }: EngineState): boolean {
  for (const id in requests) if (requests[id]?.what === 'withdraw') return true
  return false
}

/**
 * Removes and returns the request that an answer belongs to; undefined = not found. The answer still counts: after a restart with
 * another strategy a replay may number its requests differently, and no fill may be lost.
 */
export function takeAnswer(transition: Transition, event: Answer & AlsoSent): InFlight | undefined {
  const { state, now } = transition
  // Ids begin at 1: a shell that simulates the polls answers with 0.
  const request = event.request === 0 ? undefined : state.requests[event.request]
  if (request !== undefined) delete state.requests[event.request]
  if (event.alsoSentAt !== undefined) recordElsewhere(state.pacing, now, event.alsoSentAt, 'key')
  if (event.type === 'requestFailed') return request
  recordKeyAnswer(transition, event, request)
  if (request !== undefined && isPoll(request)) {
    const newFills = event.type === 'fills' ? event.fills.length : 0
    recordAnswered(state.pacing, state.config.pacing, now, request.what, { newFills })
  }
  return request
}

/** Records which reading this process has received from the venue or the chain. */
export function recordSeen({ received }: EngineState, what: keyof EngineState['received']): void {
  received[what] = true
}

/** Drops and returns the requests of the previous process, which get no answer. */
export function dropRequests(state: EngineState): readonly InFlight[] {
  const dropped = Object.values(state.requests)
  state.requests = {}
  return dropped
}

/** The public endpoint is probed with this many dollars, or their worth in shillings. */
const PROBE_USD = 100n

/** Sends every poll that is due and that the budget allows now. Returns when the next one is due. */
export function sendDuePolls(transition: Transition): Ms {
  const { state, now, send, polling } = transition
  if (polling !== 'engine') return Infinity
  const { pacing } = state.config
  for (;;) {
    const kind = nextPoll(state.pacing, pacing, now)
    if (kind === null) return nextDueAt(state.pacing, pacing, now)
    send(pollEffect(transition, kind, openRequest(transition, { what: kind, sentAt: now }, kind)))
  }
}

function pollEffect({ state }: Transition, kind: PollKind, id: number): Effect {
  switch (kind) {
    case 'account':
      return { type: 'readAccount', id }
    case 'rate':
      return { type: 'readRate', id }
    case 'balances':
      return { type: 'readBalances', id }
    case 'fills':
      return { type: 'readFills', id }
    case 'quoteBid':
      return { type: 'readQuote', id, side: 'bid' }
    case 'quoteAsk':
      return { type: 'readQuote', id, side: 'ask' }
    case 'publicAsk':
      return { type: 'readBestQuote', id, side: 'ask', probe: PROBE_USD * 10n ** 6n, ...probedPair(state) }
    case 'publicBid': {
      // Whole shillings: the probe is a size, not a price.
      const shillings = (PROBE_USD * (state.market.mid ?? 2_500n * RATE_ONE)) / RATE_ONE
      const probe = shillings * RATE_ONE
      return { type: 'readBestQuote', id, side: 'bid', probe, ...probedPair(state) }
    }
  }
}

function probedPair({ market, config }: EngineState): { readonly stable?: RoutedStable } {
  const { publicRate } = config
  return publicRate === null ? {} : { stable: nextProbedStable(market, publicRate.quoteStable) }
}
