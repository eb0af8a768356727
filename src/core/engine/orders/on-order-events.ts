import { toBook } from '../../../base/money/asset.ts'
import { requestCancel } from '../../rfq/open-order.ts'
import {
  recordAccepted,
  recordCancelFailed,
  recordCancelSent,
  recordRejected,
  removeVoid,
  startPlacing,
} from '../../rfq/state.ts'
import type {
  CancelSentEvent,
  OrderFailedEvent,
  OrderPlacedEvent,
  OrderReservedEvent,
  OrderWithheldEvent,
} from '../model/order-event.ts'
import type { RequestFailedEvent } from '../model/event.ts'
import { openRequest } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'
import { whyNotSigned } from './signing-gate.ts'
import { recordRateLimited } from '../../pacing/record-requests.ts'
import { rejectionPolicy } from './rejection-policy.ts'
import { loseKey } from '../requests/key-access.ts'

/**
 * The journal has the order: signs it, unless something changed since. An order that is withheld stays open until the journal
 * shows that: a journal that ends before does not prove that it was not signed.
 */
export function handleOrderReserved(transition: Transition, { reservation }: OrderReservedEvent): void {
  const { state, now, send, emit } = transition
  const { order, side, stable, price } = reservation
  const { salt } = order
  const open = startPlacing(state.rfq, reservation, now)
  const dollars = side === 'ask' ? order.takerAmount : order.makerAmount
  const usd = toBook(dollars, stable)
  const expiry = Number(order.expiry) * 1_000
  emit({ type: 'orderReserved', t: now, salt, side, stable, usd, priceTzs: price, expiry })
  const why = whyNotSigned(state, open)
  // A withheld order needs no cancellation on chain: it has no signature.
  if (why !== null) requestCancel(open, now)
  const what = why === null ? 'placeOrder' : 'withholdOrder'
  const id = openRequest(transition, { what, sentAt: now, salt }, null)
  send(why === null ? { type: 'placeOrder', id, order } : { type: 'withholdOrder', id, salt, why })
}

/** The order was not signed: its tokens are available again. */
export function handleOrderWithheld(transition: Transition, { salt, why }: OrderWithheldEvent): void {
  transition.emit({ type: 'orderWithheld', t: transition.now, salt, why })
  removeUnsigned(transition, salt)
}

/** The venue accepted the order. */
export function handleOrderPlaced({ state, now, emit }: Transition, event: OrderPlacedEvent): void {
  const { salt, hash } = event
  recordAccepted(state.rfq, salt, hash)
  emit({ type: 'orderPlaced', t: now, salt, hash })
}

/**
 * The order was not accepted. Only one without any signature is removed: an order that the venue refused can be
 * filled, because the contract does not ask the venue.
 */
export function handleOrderFailed(transition: Transition, event: OrderFailedEvent): void {
  const { state, now, emit } = transition
  const { salt, stage, failure, isVoid, hash } = event
  const phase = failure.outcome === 'unknown' ? 'unknown' : 'refused'
  recordRejected(state.rfq, salt, { stage, phase, hash })
  const { code, message } = failure
  emit({ type: 'orderRejected', t: now, salt, stage, code, isVoid, message })
  if (isVoid) removeUnsigned(transition, salt)
  if (failure.kind === 'rate-limit') {
    recordRateLimited(state.pacing, state.config.pacing, now, failure.retryAfterMs, 'key')
    return
  }
  learn(transition, event)
}

function removeUnsigned({ state, now, emit }: Transition, salt: bigint): void {
  if (removeVoid(state.rfq, salt)) emit({ type: 'orderResolved', t: now, salt, how: 'void' })
}

function learn(transition: Transition, { failure, stage }: OrderFailedEvent): void {
  const { state, now, alert } = transition
  const { orders } = state
  if (failure.kind === 'auth') loseKey(transition, failure)
  const { pauseMs, isPassing, remedy } = rejectionPolicy(failure, stage)
  if (failure.code === 'NOT_SELF_CUSTODY')
    orders.notInCustody = `the venue reports that this position is not in self-custody (${failure.message}); ${remedy}, or resume once it is fixed`
  // The contract calls the order not fillable; the chain shows how it ended.
  if (failure.code === 'ORDER_NOT_FILLABLE') orders.readAskedAt = 0
  // The solver may have changed, so ask the venue again.
  if (failure.code === 'WRONG_TAKER' || failure.code === 'WRONG_TX_ORIGIN') orders.infoAskedAt = 0
  const wasPaused = now < orders.notBefore
  if (now + pauseMs > orders.notBefore) {
    orders.notBefore = now + pauseMs
    orders.notBeforeWhy = `${failure.message}; ${remedy}`
  }
  if (wasPaused) return
  const text = `an order was not accepted: ${failure.message}; ${remedy}`
  alert(isPassing ? 'order-rejected-passing' : 'order-rejected', text)
}

const RETRY_CANCEL_MS = 5_000

/** A cancellation is in the network; a reading of the chain shows when it takes effect. */
export function handleCancelSent({ state, request }: Transition, event: CancelSentEvent): void {
  if (request?.what !== 'cancelOrders') return
  recordCancelSent(state.rfq, request.salts, event.txHash)
}

/** A cancellation was not sent: the orders are open as before, and it is tried again. */
export function handleCancelFailure(
  { state, now, alert, request }: Transition,
  { failure: { message } }: RequestFailedEvent,
): void {
  if (request?.what !== 'cancelOrders') return
  recordCancelFailed(state.rfq, request.salts)
  state.orders.cancelNotBefore = now + RETRY_CANCEL_MS
  const text = `a cancellation on chain was not sent: ${message}; it is retried, and the orders expire on their own`
  alert('cancel-failed', text)
}
