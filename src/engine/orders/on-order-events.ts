import { encodeJson } from '../../base/codec.ts'
import { TO_18_DECIMALS } from '../../money/asset.ts'
import { openOrderFrom } from '../../rfq/open-order.ts'
import type {
  CancelSentEvent,
  OrderFailedEvent,
  OrderPlacedEvent,
  OrderReservedEvent,
  OrderWithheldEvent,
} from '../model/order-event.ts'
import { openRequest } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'
import { whyNotSigned } from './signing-gate.ts'
import { recordRateLimited } from '../../pacing/record-requests.ts'
import { rejectionPolicy } from './rejection-policy.ts'
import type { InFlight } from '../requests/state.ts'

/**
 * The journal has the order: from here on it is owed, and now it is signed, unless news came in between. What
 * the journal has goes before what this code decided: after a restart with another strategy the two may differ,
 * and the first was signed. So one that is kept back is owed too, until the journal says that it was.
 */
export function handleOrderReserved(transition: Transition, { reservation }: OrderReservedEvent): void {
  const { state, now, send, emit } = transition
  const { order, side, stable, price } = reservation
  const { salt } = order
  const { rfq } = state
  const decided = rfq.owed[salt.toString()]
  const isSame = decided !== undefined && encodeJson(decided.order) === encodeJson(order)
  const owed = isSame ? decided : openOrderFrom(reservation, now)
  owed.phase = 'placing'
  rfq.owed[salt.toString()] = owed
  if (salt > rfq.lastSalt) rfq.lastSalt = salt
  const dollars = side === 'ask' ? order.takerAmount : order.makerAmount
  const usd = dollars * TO_18_DECIMALS[stable]
  const expiry = Number(order.expiry) * 1_000
  emit({ type: 'orderReserved', t: now, salt, side, stable, usd, priceTzs: price, expiry })
  const why = whyNotSigned(state, owed)
  // What is kept back needs no cancellation on the chain: nobody has it.
  owed.cancel = why === null ? null : { sentAt: now, txHash: null }
  const what = why === null ? 'placeOrder' : 'withholdOrder'
  const id = openRequest(transition, { what, sentAt: now, salt }, null)
  send(why === null ? { type: 'placeOrder', id, order } : { type: 'withholdOrder', id, salt, why })
}

/** Nobody holds a signature of it: it is given back. */
export function handleOrderWithheld(transition: Transition, { salt, why }: OrderWithheldEvent): void {
  transition.emit({ type: 'orderWithheld', t: transition.now, salt, why })
  giveBack(transition, salt)
}

/** The venue has the order: it stands. */
export function handleOrderPlaced({ state, now, emit }: Transition, event: OrderPlacedEvent): void {
  const { salt, hash } = event
  state.rfq.counts.signed += 1
  emit({ type: 'orderPlaced', t: now, salt, hash })
  const owed = state.rfq.owed[salt.toString()]
  if (owed === undefined) return
  owed.phase = 'open'
  owed.hash = hash
}

/**
 * An order that was not taken. Only one that certainly nobody holds a signature of is given back; what the
 * venue refused it has seen, and the contract does not ask the venue.
 */
export function handleOrderFailed(transition: Transition, event: OrderFailedEvent): void {
  const { state, now, emit } = transition
  const { salt, stage, failure, isVoid, hash } = event
  const { counts, owed: all } = state.rfq
  if (stage === 'submit') counts.signed += 1
  counts.rejected += 1
  const { code, message } = failure
  emit({ type: 'orderRejected', t: now, salt, stage, code, isVoid, message })
  const owed = all[salt.toString()]
  if (isVoid) giveBack(transition, salt)
  else if (owed !== undefined) {
    owed.phase = failure.outcome === 'unknown' ? 'unknown' : 'refused'
    owed.hash = hash ?? owed.hash
  }
  if (failure.kind === 'rate-limit') {
    recordRateLimited(state.pacing, state.config.pacing, now, failure.retryAfterMs, 'key')
    return
  }
  learn(transition, event)
}

function giveBack({ state, now, emit }: Transition, salt: bigint): void {
  const { counts, owed } = state.rfq
  if (owed[salt.toString()] === undefined) return
  delete owed[salt.toString()]
  counts.void += 1
  emit({ type: 'orderResolved', t: now, salt, how: 'void' })
}

function learn(transition: Transition, { failure, stage }: OrderFailedEvent): void {
  const { state, now, alert } = transition
  const { orders } = state
  if (failure.kind === 'auth') {
    state.authFailure = `the venue refused the key (${failure.status ?? failure.code} on ${failure.route})`
    transition.requestDecision('timer')
  }
  const { pauseMs, severity, remedy: cure } = rejectionPolicy(failure, stage)
  if (failure.code === 'NOT_SELF_CUSTODY')
    orders.notInCustody = `the venue says that this position is not in self-custody (${failure.message}); ${cure}, or resume once it is mended`
  // The chain tells at once what became of an order that the contract calls not fillable.
  if (failure.code === 'ORDER_NOT_FILLABLE') orders.readAskedAt = 0
  // The solver's wallet may have changed: the venue is asked again.
  if (failure.code === 'WRONG_TAKER' || failure.code === 'WRONG_TX_ORIGIN') orders.infoAskedAt = 0
  const wasPaused = now < orders.notBefore
  if (now + pauseMs > orders.notBefore) {
    orders.notBefore = now + pauseMs
    orders.notBeforeWhy = `${failure.message}; ${cure}`
  }
  if (wasPaused) return
  const text = `an order was not taken: ${failure.message}; ${cure}`
  alert(severity, 'order-rejected', text)
}

const RETRY_CANCEL_MS = 5_000

/** A cancellation is on its way; the chain will tell when it took effect. */
export function handleCancelSent(
  { state }: Transition,
  event: CancelSentEvent,
  request: InFlight | undefined,
): void {
  if (request?.what !== 'cancelOrders') return
  for (const salt of request.salts) {
    const owed = state.rfq.owed[salt.toString()]
    if (owed?.cancel) owed.cancel.txHash = event.txHash
  }
}

/** A cancellation that did not get out: the orders stand as before, and it is tried again. */
export function cancelFailed(transition: Transition, salts: readonly bigint[], message: string): void {
  const { state, now, alert } = transition
  for (const salt of salts) {
    const owed = state.rfq.owed[salt.toString()]
    if (owed !== undefined) owed.cancel = null
  }
  state.orders.cancelNotBefore = now + RETRY_CANCEL_MS
  const text = `a cancellation on chain was not sent: ${message}; it is tried again, and the orders expire by themselves`
  alert('warning', 'cancel-failed', text)
}
