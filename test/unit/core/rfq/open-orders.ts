import { buildOrder, type TargetOrder } from '../../../../src/core/rfq/build-order.ts'
import type { OpenOrder } from '../../../../src/core/rfq/open-order.ts'
import { addOrder, createRfqState, type RfqState } from '../../../../src/core/rfq/state.ts'
import { rfqSettings, SOLVER } from '../../../support/order-harness.ts'

export const NOW = 1_000_000_000

/** An open order of this wish with the two minutes of the settings to live. */
export function openOrder(wish: TargetOrder, salt: bigint, over: Partial<OpenOrder> = {}): OpenOrder {
  const built = buildOrder(wish, { settings: rfqSettings(), solver: SOLVER, salt, now: NOW, offsetMs: 0 })
  if (!built.ok) throw new Error(built.error)
  return { ...built.value, phase: 'open', ...over }
}

export function stateWith(...orders: OpenOrder[]): RfqState {
  const state = createRfqState()
  for (const order of orders) addOrder(state, order)
  return state
}
