import { isLive } from '../../rfq/open-order.ts'
import { knownActive } from '../activation/leaving.ts'
import type { EngineState } from '../model/state.ts'
import { lastExpiry } from '../orders/reconcile-orders.ts'

/** The daemon is about to end: from now on the position is left as `quote.onExit` requires. */
export function beginExit(state: EngineState): void {
  state.exiting = true
}

/** How much of `quote.onExit` the venue has confirmed, for the daemon's last line. */
export type ExitReport = { readonly settled: boolean; readonly text: string }

/** Returns whether the position was left as configured, as far as the venue confirmed it. */
export function exitSettled(state: EngineState): ExitReport {
  const { quote, mode } = state.config
  if (mode === 'dry-run') return { settled: true, text: 'a dry run: nothing was changed at the venue' }
  if (state.config.rfq !== null) return ordersLeft(state)
  const { confirmed, status } = state.quoting
  const spread =
    confirmed === null ? 'no spread confirmed' : `bid ${confirmed.bidBps} ask ${confirmed.askBps} bps`
  const standing = status === 'confirmed' ? spread : `quote ${status}`
  if (quote.onExit === 'keep') return { settled: true, text: `left unchanged (${standing})` }
  if (quote.onExit === 'deactivate') {
    const inactive = knownActive(state) === false
    return inactive
      ? { settled: true, text: `deactivated, confirmed by the venue (${standing})` }
      : { settled: false, text: `NOT confirmed inactive by the venue (${standing})` }
  }
  const safe =
    status === 'confirmed' &&
    confirmed !== null &&
    (!confirmed.quoteBid || confirmed.bidBps >= quote.safeBps) &&
    (!confirmed.quoteAsk || confirmed.askBps >= quote.safeBps)
  return safe
    ? { settled: true, text: `widened to the safe quote, confirmed by the venue (${standing})` }
    : { settled: false, text: `NOT confirmed at the safe quote (${standing})` }
}

/** In self-custody only orders can be left behind, and each expires. */
function ordersLeft(state: EngineState): ExitReport {
  const standing = Object.values(state.rfq.openOrders).filter(isLive)
  if (standing.length === 0) return { settled: true, text: 'no open orders on chain' }
  const until = `the last one expires in ${Math.max(0, Math.ceil((lastExpiry(state.rfq.openOrders) - state.now) / 1_000))} s`
  if (state.config.quote.onExit === 'keep' || state.config.rfq?.cancel.policy === 'never') {
    return { settled: true, text: `${standing.length} orders are left to expire; ${until}` }
  }
  const unsent = standing.filter(({ cancel }) => cancel === null || cancel.txHash === null)
  const text =
    unsent.length === 0
      ? `${standing.length} orders: their cancellation was sent but is NOT confirmed on chain yet; ${until}`
      : `${unsent.length} orders are open and their cancellation was NOT sent; ${until}`
  return { settled: false, text }
}
