import { encodeJson } from '../base/codec.ts'
import { TO_18_DECIMALS } from '../money/asset.ts'
import { owedFrom } from '../rfq/owed-order.ts'
import type { OrderReservedEvent } from './order-event.ts'
import { openRequest } from './requests.ts'
import type { Turn } from './turn.ts'
import { whyNotSigned } from './why-not-signed.ts'

/**
 * The journal has the order: from here on it is owed, and now it is signed, unless news came in between. What
 * the journal has goes before what this code decided: after a restart with another strategy the two may differ,
 * and the first was signed. So one that is kept back is owed too, until the journal says that it was.
 */
export function handleOrderReserved(turn: Turn, { reservation }: OrderReservedEvent): void {
  const { state, now, effects, observations } = turn
  const { order, side, stable, price } = reservation
  const { salt } = order
  const { rfq } = state
  const decided = rfq.owed[salt.toString()]
  const isSame = decided !== undefined && encodeJson(decided.order) === encodeJson(order)
  const owed = isSame ? decided : owedFrom(reservation, now)
  owed.phase = 'placing'
  rfq.owed[salt.toString()] = owed
  if (salt > rfq.lastSalt) rfq.lastSalt = salt
  const dollars = side === 'ask' ? order.takerAmount : order.makerAmount
  const usd = dollars * TO_18_DECIMALS[stable]
  const expiry = Number(order.expiry) * 1_000
  observations.push({ type: 'orderReserved', t: now, salt, side, stable, usd, priceTzs: price, expiry })
  const why = whyNotSigned(state, owed)
  // What is kept back needs no cancellation on the chain: nobody has it.
  owed.cancel = why === null ? null : { sentAt: now, txHash: null }
  const what = why === null ? 'placeOrder' : 'withholdOrder'
  const id = openRequest(turn, { what, sentAt: now, salt }, null)
  effects.push(why === null ? { type: 'placeOrder', id, order } : { type: 'withholdOrder', id, salt, why })
}
