import type { OrderLook } from './chain/look-at-orders.ts'
import type { TakenOrder } from './venue-state.ts'

/** An order of GET /sandbox/state, with what the chain says of it where it was asked and answered. */
export function describeOrder({ hash, expiry, at, order }: TakenOrder, look: OrderLook | undefined): object {
  const text = Object.entries(order).map(([name, value]) => [name, String(value)])
  const told = { hash, expiry, at, order: Object.fromEntries(text) as Record<string, string> }
  if (look === undefined) return told
  return {
    ...told,
    status: look.status,
    takerFilled: look.takerFilled.toString(),
    fillable: look.fillable.toString(),
  }
}
