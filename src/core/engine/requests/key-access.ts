import { HOUR_MS, type Ms, SECOND_MS } from '../../../base/time.ts'
import type { EngineState } from '../model/state.ts'
import type { InFlight } from '../model/in-flight.ts'
import type { Transition } from '../transition.ts'
import type { VenueFailure } from '../model/venue-answer.ts'
import { type BudgetName, configuredLimit, maySendFrom } from '../../pacing/budget.ts'
import { recordElsewhere } from '../../pacing/record-requests.ts'
import { countSent } from '../../pacing/request-window.ts'
import type { Event, RequestsElsewhereEvent } from '../model/event.ts'

/** One refusal may be a mistake of the venue's; a second one this much later is its decision. */
const SECOND_REFUSAL_MS = 5 * SECOND_MS

const FORBIDDEN = 403

/**
 * The venue refused the key (401), or what it may do (403). The key is lost when the same request is refused
 * again five seconds later and did not succeed in between; after a 401 also when any other one is, and nothing
 * succeeded at all.
 */
export function noteAuthRefusal(transition: Transition, { what }: InFlight, failure: VenueFailure): void {
  const { state, now } = transition
  const refusals = (state.authRefusals ??= {})
  const names = failure.status === FORBIDDEN ? [what] : [what, 'any']
  const isSecond = names.some((name) => now - (refusals[name] ??= now) >= SECOND_REFUSAL_MS)
  if (!isSecond) return
  loseKey(transition, failure)
}

/** A request succeeded: the key is good, and good for this. */
function noteAuthSuccess({ authRefusals }: EngineState, request: InFlight | undefined): void {
  if (authRefusals === undefined) return
  delete authRefusals['any']
  if (request !== undefined) delete authRefusals[request.what]
}

/**
 * Requests of the key that did not come from the core: what a command sends through the daemon or sent before
 * it started. They count as its own, for the venue counts them so.
 */
export function handleRequestsElsewhere(
  { state, now }: Transition,
  { lane, times }: RequestsElsewhereEvent,
): void {
  recordElsewhere(state.pacing, now, times, lane)
}

/** When a request of a command may leave at the earliest: the reserve stays with safety, and the slack with fills. */
export function elsewhereFrom({ pacing, config }: EngineState, now: Ms, budget: BudgetName): Ms {
  // A person waits for the answer: it may use what the less valuable polls leave free.
  return maySendFrom(pacing, config.pacing, now, 'poll', budget)
}

/** Requests of the key within the last minute, oldest first. */
export function recentKeyRequests({ pacing }: EngineState, now: Ms): readonly Ms[] {
  const { times } = pacing.key.sent
  return times.slice(times.length - countSent(pacing.key.sent, now))
}

/**
 * A refusal for too many requests while we have sent far fewer than the key allows: the others came from
 * someone else. Told once an hour. Called before the refusal itself changes the pacing.
 */
export function noteSharedKey({ state, now, alert }: Transition): void {
  const { pacing, config } = state
  if (now < pacing.key.blockedUntil) return
  const [sent, limit] = [countSent(pacing.key.sent, now), configuredLimit(config.pacing, 'key')]
  if (sent >= limit / 2) return
  if (state.sharedKeyToldAt !== undefined && now - state.sharedKeyToldAt < HOUR_MS) return
  state.sharedKeyToldAt = now
  alert(
    'shared-key',
    `the venue refuses requests as too many, and this daemon has sent ${sent} of ${limit} within the last minute: another program uses the same key, for example a second daemon with a store of its own`,
  )
}

/** The venue refuses the key for good: nothing is asked of it until an operator resumes. */
export function loseKey(transition: Transition, { status, code, route }: VenueFailure): void {
  transition.state.authFailure = `the venue refused the key (${status ?? code} on ${route})`
  transition.requestDecision('timer')
}

/** A new process, or an operator who resumes, takes the venue as if it had never failed. */
export function forgetFailures(state: EngineState): void {
  state.errorCycles = 0
  state.authFailure = null
  state.authRefusals = undefined
  state.refusedWrite = undefined
}

/** The public endpoint, the chain and the core itself show nothing of the venue's health and of the key there. */
const ANSWERS_OF_OTHERS: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'bestQuote',
  'chainRead',
  'cancelSent',
  'orderReserved',
  'orderWithheld',
  'orderFailed',
])

/** The venue answered a request of the key. */
export function recordKeyAnswer(
  transition: Transition,
  { type }: Event,
  request: InFlight | undefined,
): void {
  const { state } = transition
  if (ANSWERS_OF_OTHERS.has(type)) return
  if (state.errorCycles >= state.config.risk.errorCyclesThreshold) transition.requestDecision('timer')
  state.errorCycles = 0
  const isWrite = request?.what === 'patch' || request?.what === 'activate'
  if (isWrite && (state.refusedWrite?.what ?? request.what) === request.what) state.refusedWrite = undefined
  noteAuthSuccess(state, request)
}
