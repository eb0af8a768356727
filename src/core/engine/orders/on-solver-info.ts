import type { Hex } from '../../rfq/rfq-order.ts'
import type { SolverEvent } from '../model/order-event.ts'
import type { Transition } from '../transition.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import type { RateEvent } from '../model/event.ts'

/** Handles GET /rfq/info: the solver that orders name. An answer that contradicts the configuration is not used. */
export function handleSolver(transition: Transition, event: SolverEvent): void {
  const { orders, config } = transition.state
  if (config.rfq === null) return
  const { rfq: settings } = config
  const { pinnedSolver } = event
  const wasChanged = orders.solverChanged !== null
  orders.solverChanged = solverChange(pinnedSolver ?? null, lower(event.solverWallet))
  orders.solverProblem =
    orders.solverChanged ??
    solverProblem(settings, event) ??
    (pinnedSolver === null ? "no solver is pinned; `mizani custody enable` shows the venue's solver" : null)
  const solver = pinnedSolver ?? settings.solver ?? lower(event.solverWallet)
  orders.solver = orders.solverProblem === null ? solver : null
  if (wasChanged !== (orders.solverChanged !== null)) transition.requestDecision('timer')
}

/** Returns a sentence if the venue's solver differs from the pinned one; null = they agree. */
function solverChange(pinned: Hex | null, named: Hex | null): string | null {
  if (pinned === null || named === null || pinned === named) return null
  return `GET /rfq/info names the solver ${named}, but ${pinned} is pinned`
}

function lower(address: string | null): Hex | null {
  return address === null ? null : (address.toLowerCase() as Hex)
}

/** Returns why this answer of GET /rfq/info prevents signing; null = it agrees with the settings. */
export function solverProblem(
  settings: RfqSettings,
  { solverWallet, chainId, exchange }: Pick<SolverEvent, 'solverWallet' | 'chainId' | 'exchange'>,
): string | null {
  const compared = [
    ['solver', settings.solver, solverWallet?.toLowerCase() ?? null],
    ['chainId', settings.chainId, chainId],
    ['exchange', settings.exchange, exchange?.toLowerCase() ?? null],
  ] as const
  for (const [name, ours, theirs] of compared) {
    if (ours === null || theirs === null || ours === theirs) continue
    return `GET /rfq/info returns ${name} ${theirs}, but rfq.${name} is ${ours}: nothing is signed until they agree`
  }
  if (solverWallet !== null && /^0x0+$/i.test(solverWallet))
    return 'GET /rfq/info names the zero address as solver: no order for it can be filled, so none is signed'
  if (settings.solver !== null || solverWallet !== null) return null
  return 'GET /rfq/info names no solver: set rfq.solver'
}

/** Records how far the venue's clock is ahead of ours. A Date header has whole seconds: its time is 500 ms later, +- 500 ms. */
export function recordVenueClock({ state, now }: Transition, { venueTime }: RateEvent): void {
  if (venueTime === null) return
  const aheadMs = venueTime + 500 - now
  if (state.orders.venueOffsetMs !== aheadMs) state.orders.venueOffsetMs = aheadMs
}
