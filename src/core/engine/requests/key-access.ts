import { HOUR_MS, type Ms, SECOND_MS } from '../../../base/time.ts'
import type { EngineState } from '../model/state.ts'
import type { InFlight } from '../model/in-flight.ts'
import type { Transition } from '../transition.ts'
import type { VenueFailure } from '../model/venue-answer.ts'
import { type BudgetName, configuredLimit, maySendFrom } from '../../pacing/budget.ts'
import { recordElsewhere } from '../../pacing/record-requests.ts'
import { countSent } from '../../pacing/request-window.ts'
import type { Event, RequestsElsewhereEvent } from '../model/event.ts'

/** One refusal may be an error of the venue; a second one after this time is treated as real. */
const SECOND_REFUSAL_MS = 5 * SECOND_MS

const FORBIDDEN = 403

/**
 * Records a refusal of the key (401) or of its permission (403). The key is lost if the same request is refused again five
 * seconds later without a success in between; after a 401 also if any other request is refused and none succeeded.
 */
export function recordAuthRefusal(transition: Transition, { what }: InFlight, failure: VenueFailure): void {
  const { state, now } = transition
  const { authRefusals: refusals } = state
  const names = failure.status === FORBIDDEN ? [what] : [what, 'any']
  const isSecond = names.some((name) => now - (refusals[name] ??= now) >= SECOND_REFUSAL_MS)
  if (!isSecond) return
  loseKey(transition, failure)
}

/** A request succeeded: the key is valid and has this permission. */
function recordAuthSuccess({ authRefusals }: EngineState, request: InFlight | undefined): void {
  if (authRefusals['any'] !== undefined) delete authRefusals['any']
  if (request !== undefined && authRefusals[request.what] !== undefined) delete authRefusals[request.what]
}

/** Counts requests of commands with the same key, because the venue counts them against it. */
export function handleRequestsElsewhere(
  { state, now }: Transition,
  { lane, times }: RequestsElsewhereEvent,
): void {
  recordElsewhere(state.pacing, now, times, lane)
}

/** Returns when a request of a command may be sent: the reserve is kept for safety, and the slack for fills. */
export function elsewhereFrom({ pacing, config }: EngineState, now: Ms, budget: BudgetName): Ms {
  // An operator waits for the answer, so the request may use what low-priority polls leave free.
  return maySendFrom(pacing, config.pacing, now, 'poll', budget)
}

/** Requests of the key within the last minute, oldest first. */
export function recentKeyRequests({ pacing }: EngineState, now: Ms): readonly Ms[] {
  const { times } = pacing.key.sent
  return times.slice(times.length - countSent(pacing.key.sent, now))
}

/**
 * Alerts if the venue refuses requests as too many although we have sent far fewer than the key allows.
 * Called before the refusal changes the pacing.
 */
export function alertSharedKey(transition: Transition): void {
  const { state, now } = transition
  const { pacing, config } = state
  if (now < pacing.key.blockedUntil) return
  const [sent, limit] = [countSent(pacing.key.sent, now), configuredLimit(config.pacing, 'key')]
  if (sent >= limit / 2) return
  reportSharedKey(
    transition,
    `the venue reports too many requests, but this daemon has sent only ${sent} of ${limit} within the last minute`,
  )
}

/** Alerts at most once an hour that another program uses the key; `why` is the evidence. */
export function reportSharedKey({ state, now, alert }: Transition, why: string): void {
  if (state.sharedKeyToldAt !== null && now - state.sharedKeyToldAt < HOUR_MS) return
  state.sharedKeyToldAt = now
  alert(
    'shared-key',
    `another program uses the same key, for example a second daemon with its own store: ${why}`,
  )
}

/** The venue refuses the key: trading halts until an operator resumes. */
export function loseKey(transition: Transition, { status, code, route }: VenueFailure): void {
  transition.state.authFailure = `the venue refused the key (${status ?? code} on ${route})`
  transition.requestDecision('timer')
}

/** Returns why the key is refused now; null = its last answer was no refusal. A halt because of the key may stay after that. */
export function keyRefusal({ authFailure, authRefusals }: EngineState): string | null {
  return authRefusals['any'] === undefined ? null : authFailure
}

/** Forgets earlier failures, at the start of a process or when an operator resumes. */
export function forgetFailures(state: EngineState): void {
  state.errorCycles = 0
  state.authFailure = null
  state.authRefusals = {}
  state.refusedWrite = null
}

/** Answers of the public endpoint, the chain and the core, which prove nothing about the key. */
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
  if (isWrite && (state.refusedWrite?.what ?? request.what) === request.what) state.refusedWrite = null
  recordAuthSuccess(state, request)
}
