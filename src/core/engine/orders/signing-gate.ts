import { ASSETS, formatAmount } from '../../../base/money/asset.ts'
import { corridorProblem, available, outstandingProblem, signableOrders } from '../../rfq/commitment.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import type { EngineState } from '../model/state.ts'
import { isLive, type OpenOrder } from '../../rfq/open-order.ts'
import { maySend, maySendFrom, quoteShare } from '../../pacing/budget.ts'
import { nextSalt } from '../../rfq/build-order.ts'
import { fittingOrder, freeOfOrders } from './place-orders.ts'

/**
 * Returns the first reason why no new order may be signed now, and its remedy; null = signing is allowed. Live orders are not
 * affected.
 */
export function whyNoOrders(state: EngineState, settings: RfqSettings): string | null {
  const { config, orders, activation, reconciliation, now } = state
  if (config.mode === 'dry-run') return 'this is a dry run: nothing is signed'
  if (state.exiting) return 'the daemon is shutting down'
  if (activation.isActive !== false) {
    return activation.isActive === null
      ? 'it is not known yet whether the position is in the shared pool'
      : 'the position is in the shared pool; `mizani custody enable` takes it out'
  }
  if (activation.inFlight !== null) return 'the position is moving into or out of the shared pool'
  if (orders.notInCustody !== null) return orders.notInCustody
  if (orders.solverProblem !== null) return orders.solverProblem
  if (orders.solver === null) return 'the solver is not known yet (GET /rfq/info)'
  const chain = whyNotByChain(state, settings)
  if (chain !== null) return chain
  if (orders.mismatched.length > 0)
    return `the chain's endpoint contradicts itself about ${orders.mismatched.length} orders`
  if (reconciliation.state !== 'reconciled') return `the ledger is not reconciled: ${reconciliation.why}`
  return now < orders.notBefore ? orders.notBeforeWhy : null
}

function whyNotByChain({ rfq, orders, now }: EngineState, settings: RfqSettings): string | null {
  const { chain } = rfq
  if (chain === null) return 'the chain has not been read yet'
  const { maxChainLagMs, maxClockOffsetMs } = settings
  const offset = orders.venueOffsetMs ?? 0
  if (Math.abs(offset) > maxClockOffsetMs) {
    return `the venue's clock is ${seconds(offset)} s from ours, rfq.maxClockOffsetMs allows ${seconds(maxClockOffsetMs)} s`
  }
  if (chain.head.t - chain.readAt > maxClockOffsetMs) {
    return `the chain's clock is ${seconds(chain.head.t - chain.readAt)} s ahead of ours, rfq.maxClockOffsetMs allows ${seconds(maxClockOffsetMs)} s`
  }
  const lag = now - Math.min(chain.head.t, chain.readAt)
  if (lag > maxChainLagMs) {
    return `the chain was last seen ${seconds(lag)} s ago, rfq.maxChainLagMs allows ${seconds(maxChainLagMs)} s`
  }
  const ours = ASSETS.filter((asset) => settings.tokens[asset] !== undefined)
  if (ours.every((asset) => (chain.allowances[asset] ?? 0n) === 0n)) {
    return 'the exchange has no allowance from the wallet; `mizani custody enable` approves the amounts in rfq.approve'
  }
  return null
}

/** Returns the tokens of which orders commit more than wallet and allowance cover, with the excess, or null. */
export function overcommitted(state: EngineState, settings: RfqSettings): string | null {
  if (state.rfq.chain === null) return null
  const free = available(state.rfq, settings)
  const over = ASSETS.filter((asset) => free[asset] < 0n)
  return over.length === 0 ? null : over.map((asset) => `${formatAmount(-free[asset])} ${asset}`).join(', ')
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}

/** Returns why a journalled order must not be signed after all, because of events since the decision; null = it is signed. */
export function whyNotSigned(state: EngineState, owed: OpenOrder): string | null {
  const { rfq: settings } = state.config
  if (settings === null) return 'self-custody is off'
  const over = overcommitted(state, settings)
  if (over !== null) return `orders commit more than is available: ${over}`
  return whyNoOrders(state, settings) ?? (owed.cancel === null ? null : 'it was no longer wanted')
}

/** Returns why an order waits for the request budget; null = it need not wait. */
function whyNoRequest({ pacing, config, now }: EngineState): string | null {
  if (maySend(pacing, config.pacing, now, 'quote')) return null
  const { limit, used } = quoteShare(pacing, config.pacing, now)
  const from = maySendFrom(pacing, config.pacing, now, 'quote')
  return `the ladder has used ${used} of its ${limit} requests this minute, and the key's budget has none left for it; the next order is sent in ${((from - now) / 1_000).toFixed(0)} s`
}

/**
 * Returns why there is no live order although orders are allowed: none is wanted or covered. Null = an order is live or will be.
 */
export function whyNoneStand(state: EngineState, settings: RfqSettings): string | null {
  const { rfq, approvedTarget, orders, now } = state
  const { solver, venueOffsetMs } = orders
  const stands = Object.values(rfq.openOrders).some((owed) => isLive(owed) && owed.cancel === null)
  if (stands || approvedTarget === null || solver === null) return null
  if (approvedTarget.orders.length === 0)
    return `the strategy wants no order: ${approvedTarget.because.at(-1) ?? 'no reason is given'}`
  const parts = { settings, solver, salt: nextSalt(rfq.lastSalt, now), now, offsetMs: venueOffsetMs ?? 0 }
  const free = freeOfOrders(state, settings)
  const refusals: string[] = []
  const corridor = state.config.risk.priceCorridor
  for (const wish of approvedTarget.orders) {
    const [signable] = signableOrders([wish], corridor, settings)
    const order = signable === undefined ? null : fittingOrder(signable, parts, free)
    const problem =
      order === null
        ? (corridorProblem(wish, corridor) ?? 'it cannot be signed')
        : order.ok
          ? outstandingProblem(order.value, rfq, settings)
          : order.error
    if (problem === null) return whyNoRequest(state)
    refusals.push(problem)
  }
  return `none of the ${refusals.length} wanted orders can be placed; the first: ${refusals[0]}`
}
