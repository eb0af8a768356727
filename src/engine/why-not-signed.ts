import type { OwedOrder } from '../rfq/owed-order.ts'
import type { EngineState } from './engine-state.ts'
import { overPromised, whyNoOrders } from './why-no-orders.ts'

/**
 * Why an order that was decided and is in the journal now is not to be signed after all, for the news that
 * came in between; null = it is signed.
 */
export function whyNotSigned(state: EngineState, owed: OwedOrder): string | null {
  const { rfq: settings } = state.config
  if (settings === null) return 'self-custody is off'
  const over = overPromised(state, settings)
  if (over !== null) return `more is promised than is there: ${over}`
  return whyNoOrders(state, settings) ?? (owed.cancel === null ? null : 'it was not wanted any more')
}
