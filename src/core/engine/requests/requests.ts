import { POLL_KINDS, type PollKind } from '../../pacing/state.ts'
import { recordAnswered, recordElsewhere, recordSent, type SentKind } from '../../pacing/record-requests.ts'
import type { Event } from '../model/event.ts'
import { recordKeyAnswer } from './key-access.ts'
import type { InFlight } from '../model/in-flight.ts'
import type { Transition } from '../transition.ts'
import type { EngineState } from '../model/state.ts'

type Answer = Extract<Event, { readonly request: number }>

/** Registers a request as in flight and counts it against its budget, if any. Returns its id. */
export function openRequest(transition: Transition, request: InFlight, counts: SentKind | null): number {
  const { state, now } = transition
  const id = state.nextRequest
  state.nextRequest += 1
  state.requests[id] = request
  if (counts !== null) recordSent(state.pacing, now, counts)
  return id
}

/** Removes a request that is in flight. Returns undefined if it is not remembered. */
function closeRequest(transition: Transition, id: number): InFlight | undefined {
  // Ids begin at 1: a shell that simulates the polls answers with 0.
  if (id === 0) return undefined
  const { requests } = transition.state
  const request = requests[id]
  if (request !== undefined) delete requests[id]
  return request
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
 * Removes and returns the request that an answer belongs to; undefined = not found. The answer counts even so: after a restart
 * with another strategy a replay may number its requests differently, and no fill may be lost.
 */
export function takeAnswer(transition: Transition, event: Answer): InFlight | undefined {
  const { state, now } = transition
  const request = closeRequest(transition, event.request)
  if ('alsoSentAt' in event && event.alsoSentAt !== undefined)
    recordElsewhere(state.pacing, now, event.alsoSentAt, 'key')
  if (event.type === 'requestFailed') return request
  recordKeyAnswer(transition, event, request)
  if (request !== undefined && isPoll(request)) {
    const newFills = event.type === 'fills' ? event.fills.length : 0
    recordAnswered(state.pacing, state.config.pacing, now, request.what, { newFills })
  }
  return request
}

/** Records that this process has read this from the venue or the chain. */
export function recordSeen({ received }: EngineState, what: keyof EngineState['received']): void {
  received[what] = true
}

/** Drops and returns the requests of the previous process, which get no answer. */
export function dropRequests(state: EngineState): readonly InFlight[] {
  const dropped = Object.values(state.requests)
  state.requests = {}
  return dropped
}
