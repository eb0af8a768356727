import type { Hex } from '../rfq/rfq-order.ts'
import type { RfqInfoEvent } from './order-event.ts'
import { rfqInfoProblem } from './rfq-info-problem.ts'
import type { Turn } from './turn.ts'

/** GET /rfq/info: the solver that orders name. What contradicts the configuration is never followed. */
export function handleRfqInfo(turn: Turn, event: RfqInfoEvent): void {
  const { orders, config } = turn.state
  if (config.rfq === null) return
  const { rfq: settings } = config
  orders.solverProblem = rfqInfoProblem(settings, event)
  orders.solver = orders.solverProblem === null ? (settings.solver ?? lower(event.solverWallet)) : null
}

function lower(address: string | null): Hex | null {
  return address === null ? null : (address.toLowerCase() as Hex)
}
