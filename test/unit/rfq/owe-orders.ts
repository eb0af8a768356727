import { buildOrder, type OrderWish } from '../../../src/rfq/build-order.ts'
import type { OwedOrder } from '../../../src/rfq/open-order.ts'
import { createRfqState, type RfqState } from '../../../src/rfq/state.ts'
import { rfqSettings, SOLVER } from '../../support/order-harness.ts'

export const NOW = 1_000_000_000

/** An open order of this wish with the two minutes of the settings to live. */
export function openOrder(wish: OrderWish, salt: bigint, over: Partial<OwedOrder> = {}): OwedOrder {
  const built = buildOrder(wish, { settings: rfqSettings(), solver: SOLVER, salt, now: NOW, offsetMs: 0 })
  if (!built.ok) throw new Error(built.error)
  return { ...built.value, phase: 'open', ...over }
}

export function stateWith(...orders: OwedOrder[]): RfqState {
  const state = createRfqState()
  for (const owed of orders) state.owed[owed.order.salt.toString()] = owed
  return state
}
