import { POLL_KINDS, type PollKind } from '../../pacing/state.ts'
import { recordSent, type SentKind } from '../../pacing/record-requests.ts'
import type { InFlight } from './state.ts'
import type { Transition } from '../transition.ts'
import type { EngineState } from '../model/state.ts'

/** Enters a request as in flight and counts it against the budget, if it costs any; the number names it from now on. */
export function openRequest(transition: Transition, request: InFlight, counts: SentKind | null): number {
  const { state, now } = transition
  const id = state.nextRequest
  state.nextRequest += 1
  state.requests[id] = request
  if (counts !== null) recordSent(state.pacing, now, counts)
  return id
}

/** Takes a request out of flight. Undefined when it is not ours to hear about any more. */
export function closeRequest(transition: Transition, id: number): InFlight | undefined {
  const request = transition.state.requests[id]
  delete transition.state.requests[id]
  return request
}

export function isPoll(request: InFlight): request is Extract<InFlight, { what: PollKind }> {
  return (POLL_KINDS as readonly string[]).includes(request.what)
}

/** Whether a withdrawal is under way: until it is answered nobody knows where its tokens are. */
export function isWithdrawing({ requests }: EngineState): boolean {
  return Object.values(requests).some((request) => request.what === 'withdraw')
}
