import type { Chain } from '../../../custody/chain/chain.ts'
import type { OrderEffect } from '../../../core/engine/model/effect.ts'
import type { Event } from '../../../core/engine/model/event.ts'
import type { VenueFailure } from '../../../core/engine/model/venue-answer.ts'
import type { ChainReading, OrderReading } from '../../../core/rfq/chain-reading.ts'
import type { RfqOrder } from '../../../core/rfq/rfq-order.ts'
import type {
  ExchangeDomain,
  OrderSigner,
  SignedOrder,
  SigningFailure,
} from '../../../custody/signing/order-signer.ts'
import type { CustodyPort } from '../../../venue/port.ts'
import type { Clock } from '../position/clock.ts'

type OrderPerformerParts = {
  readonly client: Pick<CustodyPort, 'rfqOrder'>
  readonly clock: Clock
  readonly signer: OrderSigner
  /** The core's settings of orders; the signer has its own, and signs only if they agree. */
  readonly domain: ExchangeDomain
  /** The chain, once it could be opened; or the reason why it could not. */
  readonly chain: () => Promise<Chain | string>
  /** Called with the duration of a signing attempt, successful or not. */
  readonly onSigned: (seconds: number) => void
}

/** Performs effects that need a key or a chain. Never rejects: every outcome is an event. */
export function createOrderPerformer(parts: OrderPerformerParts): (effect: OrderEffect) => Promise<Event> {
  return (effect) => {
    switch (effect.type) {
      // No-op. Journalling this event is the reservation; it is durable before anything is signed.
      case 'reserveOrder': {
        const { id: request, reservation } = effect
        return Promise.resolve({ type: 'orderReserved', t: parts.clock.now(), request, reservation })
      }
      case 'placeOrder':
        return placeOrder(parts, effect.id, effect.order)
      // The signer is not asked.
      case 'withholdOrder': {
        const { id: request, salt, why } = effect
        return Promise.resolve({ type: 'orderWithheld', t: parts.clock.now(), request, salt, why })
      }
      case 'readChain':
        return readChain(parts, effect)
      case 'cancelOrders':
        return cancelOrders(parts, effect)
    }
  }
}

/** Signs, then submits. From the moment the request may have left, a taker may hold the order. */
async function placeOrder(parts: OrderPerformerParts, request: number, order: RfqOrder): Promise<Event> {
  const { clock, signer, client, domain } = parts
  const { salt } = order
  const began = performance.now()
  const signed = await signer.sign(order, domain)
  parts.onSigned((performance.now() - began) / 1_000)
  if (!signed.ok) {
    const { isVoid } = signed.error
    const failure = signingFailure(signed.error)
    return { type: 'orderFailed', t: clock.now(), request, salt, hash: null, stage: 'sign', isVoid, failure }
  }
  const { hash } = signed.value
  const answer = await client.rfqOrder(signed.value)
  const base = { t: clock.now(), request, salt, hash }
  if (!answer.ok) return { ...base, type: 'orderFailed', stage: 'submit', ...failed(answer.error) }
  const other = otherHash(signed.value, answer.value.orderHash)
  return other === null
    ? { ...base, type: 'orderPlaced' }
    : { ...base, type: 'orderFailed', stage: 'submit', ...failed(other) }
}

/** Unanswered and certainly not sent: the signature never left this process. */
function failed(failure: VenueFailure): { readonly failure: VenueFailure; readonly isVoid: boolean } {
  const wasSilent = failure.kind === 'network' || failure.kind === 'timeout'
  return { failure, isVoid: wasSilent && failure.status === null && failure.outcome === 'failed' }
}

/** The venue accepted a different order from the one we signed. */
function otherHash({ hash }: SignedOrder, theirs: string | null): VenueFailure | null {
  if (theirs === null || theirs.toLowerCase() === hash) return null
  return {
    kind: 'malformed',
    code: 'HASH_MISMATCH',
    status: 200,
    route: 'POST /rfq/orders',
    message: `POST /rfq/orders: the venue returned the order hash ${theirs.slice(0, 66)}, expected ${hash}`,
    retriable: false,
    outcome: 'unknown',
    retryAfterMs: null,
  }
}

function signingFailure({ code, message, isVoid }: SigningFailure): VenueFailure {
  const outcome = isVoid ? 'failed' : 'unknown'
  return { ...NO_ANSWER, kind: 'refused', code, route: 'sign', message, outcome }
}

async function readChain(
  { chain, clock }: OrderPerformerParts,
  { id, orders, fillsFrom, after }: Extract<OrderEffect, { type: 'readChain' }>,
): Promise<Event> {
  const sentAt = clock.now()
  const opened = await chain()
  if (typeof opened === 'string') return requestFailed(id, clock, notOpen('chain read', opened))
  const result = await opened.read(orders, fillsFrom, after)
  if (!result.ok) return requestFailed(id, clock, result.error)
  return { type: 'chainRead', t: clock.now(), request: id, sentAt, ...shortened(result.value) }
}

function shortened(reading: ChainReading): { reading: ChainReading; untouched: readonly bigint[] } {
  const isUntouched = ({ status, takerFilled }: OrderReading) => status === 'FILLABLE' && takerFilled === 0n
  return {
    reading: { ...reading, orders: reading.orders.filter((order) => !isUntouched(order)) },
    untouched: reading.orders.filter(isUntouched).map(({ salt }) => salt),
  }
}

async function cancelOrders(
  { chain, clock }: OrderPerformerParts,
  { id, cancel }: Extract<OrderEffect, { type: 'cancelOrders' }>,
): Promise<Event> {
  const opened = await chain()
  if (typeof opened === 'string') return requestFailed(id, clock, notOpen('chain cancel', opened))
  const result = await opened.cancel(cancel)
  if (!result.ok) return requestFailed(id, clock, result.error)
  return { type: 'cancelSent', t: clock.now(), request: id, txHash: result.value.txHash }
}

const NO_ANSWER = { status: null, retriable: true, retryAfterMs: null } as const

function notOpen(route: string, message: string): VenueFailure {
  return { ...NO_ANSWER, kind: 'network', code: 'CHAIN_NOT_OPEN', route, message, outcome: 'failed' }
}

function requestFailed(request: number, clock: Clock, failure: VenueFailure): Event {
  return { type: 'requestFailed', t: clock.now(), request, failure }
}
