import type {
  ActivationEvent,
  BestQuoteEvent,
  FillsEvent,
  QuoteReadEvent,
  QuoteSetEvent,
  RequestFailedEvent,
} from '../model/event.ts'
import type { SolverEvent } from '../model/order-event.ts'
import type { Transition } from '../transition.ts'
import type { InFlight } from '../model/in-flight.ts'
import type { CapabilityName } from '../model/capabilities.ts'

/** The HTTP method that the venue accepts for /activate: PATCH or POST. */
export function learnActivateMethod(transition: Transition, { method, isActive }: ActivationEvent): void {
  if (method !== undefined) learn(transition, 'activate-method', method, `it answered isActive: ${isActive}`)
}

/** Learns the shilling's symbol at the public rate. */
export function learnShillingSymbol(transition: Transition, { shilling }: BestQuoteEvent): void {
  if (shilling !== undefined) learn(transition, 'shilling-symbol', shilling, 'GET /swap/rate accepts it')
}

/** Learns how fills name their tokens. */
export function learnFillTokens(transition: Transition, { fills, tokenForm }: FillsEvent): void {
  if (tokenForm !== undefined) learn(transition, 'fill-tokens', tokenForm, `the fill ${fills.at(-1)?.id}`)
}

/** Learns whether an answer to PATCH /spread names the quoted pairs. */
export function learnPairs(transition: Transition, { namesPairs }: QuoteSetEvent): void {
  const [value, evidence] = namesPairs === true ? ['stated', 'names'] : ['not stated', 'names no']
  if (transition.state.capabilities['pairs']?.value === value) return
  learn(transition, 'pairs', value, `an answer to PATCH /spread ${evidence} quotePairs`)
}

export function learnReadBack(transition: Transition, { side, spreadBps }: QuoteReadEvent): void {
  if (transition.state.capabilities['quote-read-back']?.value === PRESENT) return
  learn(transition, 'quote-read-back', PRESENT, `GET /quote named ${spreadBps} bps on the ${side}`)
}

export function learnRfq(transition: Transition, _event: SolverEvent): void {
  learn(transition, 'rfq', PRESENT, 'GET /rfq/info was answered')
}

const PRESENT = 'present'
/** The capability that a request needs, by its kind. */
const NEEDED: Readonly<Partial<Record<InFlight['what'], CapabilityName>>> = {
  quoteBid: 'quote-read-back',
  quoteAsk: 'quote-read-back',
  solver: 'rfq',
}

/** A venue without a route answers 404, 405 or 501; one with capital in self-custody refuses to activate it. */
export function learnFromFailure(
  transition: Transition,
  { failure: { route, status, code } }: RequestFailedEvent,
): void {
  if (code === 'SELF_CUSTODY_ENABLED') learn(transition, 'custody', PRESENT, `${route} was refused: ${code}`)
  if (status !== 404 && status !== 405 && status !== 501) return
  const name = transition.request === undefined ? undefined : NEEDED[transition.request.what]
  if (name !== undefined) learn(transition, name, 'absent', `${route} was answered with ${status}`)
}

/** Records a capability that an answer shows; an unchanged value is ignored. */
function learn({ state, now }: Transition, name: CapabilityName, value: string, evidence: string): void {
  if (state.capabilities[name]?.value === value) return
  state.capabilities = { ...state.capabilities, [name]: { value, at: now, evidence } }
}
