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
import type { CapabilityName } from '../model/capabilities.ts'

/** The HTTP method that the venue accepts for /activate: PATCH or POST. */
export function learnActivateMethod(transition: Transition, { method, isActive }: ActivationEvent): void {
  if (method !== undefined) learn(transition, 'activate-method', method, `it answered isActive: ${isActive}`)
}

/** Learns the shilling's symbol at the public rate. */
export function learnShillingSymbol(transition: Transition, { shilling }: BestQuoteEvent): void {
  if (shilling !== undefined) learn(transition, 'shilling-symbol', shilling, 'GET /swap/rate accepts it')
}

const ADDRESS = /"(?:fromToken|toToken)"\s*:\s*"0x/

/** Learns how fills name their tokens, from the raw row of the latest one. */
export function learnFillTokens(transition: Transition, { fills }: FillsEvent): void {
  const last = fills.at(-1)
  if (last === undefined || last.raw === '') return
  const value = ADDRESS.test(last.raw) ? 'address' : 'symbol'
  learn(transition, 'fill-tokens', value, `the fill ${last.id}`)
}

/** Learns whether an answer to PATCH /spread names the quoted pairs. */
export function learnPairs(transition: Transition, { namesPairs }: QuoteSetEvent): void {
  const [value, evidence] = namesPairs === true ? ['stated', 'names'] : ['not stated', 'names no']
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
const ABSENT: readonly (readonly [string, CapabilityName])[] = [
  ['GET /quote', 'quote-read-back'],
  ['GET /rfq/info', 'rfq'],
]

/** A venue without a route answers 404, 405 or 501; one with capital in self-custody refuses to activate it. */
export function learnFromFailure(
  transition: Transition,
  { failure: { route, status, code } }: RequestFailedEvent,
): void {
  if (code === 'SELF_CUSTODY_ENABLED') learn(transition, 'custody', PRESENT, `${route} was refused: ${code}`)
  if (status !== 404 && status !== 405 && status !== 501) return
  const name = ABSENT.find(([one]) => one === route)?.[1]
  if (name !== undefined) learn(transition, name, 'absent', `${route} was answered with ${status}`)
}

/** Records a capability that an answer shows; an unchanged value is ignored. */
function learn({ state, now }: Transition, name: CapabilityName, value: string, evidence: string): void {
  if (state.capabilities[name]?.value === value) return
  state.capabilities = { ...state.capabilities, [name]: { value, at: now, evidence } }
}
