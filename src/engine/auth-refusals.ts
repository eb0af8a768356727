import { SECOND_MS } from '../base/time.ts'
import type { EngineState, InFlight } from './engine-state.ts'
import { wantDecision, type Turn } from './turn.ts'
import type { VenueFailure } from './venue-failure.ts'

/** One refusal may be a mistake of the venue's; a second one this much later is its decision. */
const SECOND_REFUSAL_MS = 5 * SECOND_MS

const FORBIDDEN = 403

/**
 * The venue refused the key (401), or what it may do (403). The key is lost when the same request is refused
 * again five seconds later and did not succeed in between; after a 401 also when any other one is, and nothing
 * succeeded at all.
 */
export function noteAuthRefusal(turn: Turn, { what }: InFlight, failure: VenueFailure): void {
  const { state, now } = turn
  const refusals = (state.authRefusals ??= {})
  const names = failure.status === FORBIDDEN ? [what] : [what, 'any']
  const isSecond = names.some((name) => now - (refusals[name] ??= now) >= SECOND_REFUSAL_MS)
  if (!isSecond) return
  state.authFailure = `the venue refused the key (${failure.status ?? failure.code} on ${failure.route})`
  wantDecision(turn, 'timer')
}

/** A request succeeded: the key is good, and good for this. */
export function noteAuthSuccess({ authRefusals }: EngineState, request: InFlight | undefined): void {
  if (authRefusals === undefined) return
  delete authRefusals['any']
  if (request !== undefined) delete authRefusals[request.what]
}
