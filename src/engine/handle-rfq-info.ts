import type { Hex } from '../rfq/rfq-order.ts'
import type { RfqInfoEvent } from './order-event.ts'
import { rfqInfoProblem } from './rfq-info-problem.ts'
import { wantDecision, type Turn } from './turn.ts'

/** GET /rfq/info: the solver that orders name. What contradicts the configuration is never followed. */
export function handleRfqInfo(turn: Turn, event: RfqInfoEvent): void {
  const { orders, config } = turn.state
  if (config.rfq === null) return
  const { rfq: settings } = config
  const { pinnedSolver } = event
  const wasChanged = orders.solverChanged !== null
  orders.solverChanged = solverChange(pinnedSolver ?? null, lower(event.solverWallet))
  orders.solverProblem =
    orders.solverChanged ??
    rfqInfoProblem(settings, event) ??
    (pinnedSolver === null ? 'no solver is pinned; `mizani custody enable` shows the one of the venue' : null)
  const solver = pinnedSolver ?? settings.solver ?? lower(event.solverWallet)
  orders.solver = orders.solverProblem === null ? solver : null
  if (wasChanged !== (orders.solverChanged !== null)) wantDecision(turn, 'timer')
}

/** The venue wants orders to name somebody else than the one whom a person has confirmed; null = it does not. */
function solverChange(pinned: Hex | null, named: Hex | null): string | null {
  if (pinned === null || named === null || pinned === named) return null
  return `GET /rfq/info names the solver ${named}, and ${pinned} is pinned`
}

function lower(address: string | null): Hex | null {
  return address === null ? null : (address.toLowerCase() as Hex)
}
