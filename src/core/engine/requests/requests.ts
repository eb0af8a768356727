import { POLL_KINDS, type PollKind } from '../../pacing/state.ts'
import { recordAnswered, recordElsewhere, recordSent, type SentKind } from '../../pacing/record-requests.ts'
import type { Event } from '../model/event.ts'
import { recordKeyAnswer } from './key-access.ts'
import type { InFlight } from '../model/in-flight.ts'
import type { Transition } from '../transition.ts'
import type { EngineState } from '../model/state.ts'

type Answer = Extract<Event, { readonly request: number }>

/** Enters a request as in flight and counts it against the budget, if it costs any; the number names it from now on. */
export function openRequest(transition: Transition, request: InFlight, counts: SentKind | null): number {
  const { state, now } = transition
  const id = state.nextRequest
  state.nextRequest += 1
  state.requests[id] = request
  if (counts !== null) recordSent(state.pacing, now, counts)
  return id
}

/** Takes a request out of flight. Undefined when its outcome is no longer ours. */
function closeRequest(transition: Transition, id: number): InFlight | undefined {
  // Numbers begin at 1: a shell that simulates the polls answers what no one has asked.
  if (id === 0) return undefined
  const { requests } = transition.state
  const request = requests[id]
  if (request !== undefined) delete requests[id]
  return request
}

export function isPoll(request: InFlight): request is Extract<InFlight, { what: PollKind }> {
  return (POLL_KINDS as readonly string[]).includes(request.what)
}

/** Whether a withdrawal is under way: until it is answered no one knows where its tokens are. */
export function isWithdrawing({ requests }: EngineState): boolean {
  for (const id in requests) if (requests[id]?.what === 'withdraw') return true
  return false
}

/**
 * An answer counts whether or not its request is remembered: after a restart with another strategy the replay may
 * number its requests otherwise, and no fill may be lost to that. The request only adds what was asked for, and frees
 * its place in the pacing. Returns it; undefined = it is not remembered.
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

/** This process has read it from the venue, or from the chain. */
export function recordSeen({ received }: EngineState, what: keyof EngineState['received']): void {
  received[what] = true
}

/** What was in flight when the process before ended has no answer any longer. Returns it. */
export function dropRequests(state: EngineState): readonly InFlight[] {
  const dropped = Object.values(state.requests)
  state.requests = {}
  return dropped
}
