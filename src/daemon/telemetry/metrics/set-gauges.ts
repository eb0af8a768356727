import { setOrClear, setOrRemove } from './optional-gauge.ts'
import type { PositionView } from '../../view/position-view.ts'
import type { AmountTexts } from '../../view/fields.ts'
import { ASSETS, OWNED_TOKENS } from '../../../base/money/asset.ts'
import { SIDES } from '../../../base/money/side.ts'
import { setFeeds } from './feed-metrics.ts'
import { setChallenger } from './challenger-metrics.ts'
import { setScorecard } from './scorecard-metrics.ts'
import type { Metrics } from './metrics.ts'
import { TRADING_STATES } from './metric-labels.ts'

/** Puts what a position shows into its gauges; what the view does not know loses its series. */
export function setGauges(metrics: Metrics, view: PositionView): void {
  setQuote(metrics, view)
  setHoldings(metrics, view)
  setPnl(metrics, view)
  setOrders(metrics, view)
  setFeeds(metrics, view)
  metrics.venueCapability.reset()
  for (const { name: capability, value } of view.capabilities)
    if (value !== null) metrics.venueCapability.set({ capability, value }, 1)
  setScorecard(metrics, view)
  setChallenger(metrics, view)
  setOrClear(metrics.midTzs, view.mid === null ? null : Number(view.mid))
  setOrClear(metrics.midAgeSeconds, view.midAgeMs === null ? null : view.midAgeMs / 1_000)
  setOrClear(metrics.guardAbsentSeconds, view.mode === 'dry-run' ? null : guardAbsentMs(view) / 1_000)
  metrics.stillQuoted.set(Number(view.live.banner !== null))
  metrics.requestBudgetRemaining.set(view.budget.remaining)
  for (const state of TRADING_STATES) {
    metrics.tradingState.set({ state }, state === view.tradingState ? 1 : 0)
  }
  metrics.buildInfo.reset()
  metrics.buildInfo.set({ version: view.version }, 1)
}

/** Since the lease was lost, or since the start where no guard has answered. */
function guardAbsentMs({ guard, now, startedAt }: PositionView): number {
  if (guard?.watch === 'held') return 0
  return Math.max(0, now - Math.max(guard?.since ?? 0, startedAt))
}

/** While the quote is not confirmed its figures are those of the past: worse than none on a chart. */
function setQuote(metrics: Metrics, { quote, competition, isActive, execution }: PositionView): void {
  setOrClear(metrics.active, isActive === null ? null : Number(isActive))
  for (const stable of OWNED_TOKENS) {
    const apart = execution.apart.find((pair) => pair.stable === stable)
    setOrRemove(metrics.executionMidDeviationBps, { stable }, apart?.deviationBps ?? null)
  }
  const known = quote.status === 'confirmed'
  for (const side of SIDES) {
    const bps = side === 'bid' ? quote.bidBps : quote.askBps
    const on = side === 'bid' ? quote.quoteBid : quote.quoteAsk
    setOrRemove(metrics.quoteBps, { side }, known ? bps : null)
    setOrRemove(metrics.quoteOn, { side }, known && on !== null ? Number(on) : null)
    setOrRemove(metrics.bestCompetitorBps, { side }, rivalBps(competition[side]))
  }
}

/** Our own quote is no competitor. */
function rivalBps(best: PositionView['competition']['bid']): number | null {
  return best === null || best.isOwn ? null : best.bps
}

function setHoldings(metrics: Metrics, { balances, inventory, bounds, reconciliation }: PositionView): void {
  const { state, unreconciled } = reconciliation
  for (const token of ASSETS) {
    const held = numberOf(balances, token)
    setOrRemove(metrics.inventory, { token }, held)
    for (const bound of ['min', 'max'] as const) {
      const limit = bounds.inventory[token]?.[bound] ?? null
      setOrRemove(metrics.inventoryLimit, { token, bound }, limit === null ? null : Number(limit))
    }
    const proven = state === 'pending' || held === null ? null : 0
    setOrRemove(metrics.unreconciled, { token }, numberOf(unreconciled, token) ?? proven)
  }
  setOrClear(metrics.inventoryShare, inventory.usdShare)
  const { provenAgeMs } = reconciliation
  setOrClear(metrics.provenAgeSeconds, provenAgeMs === null ? null : provenAgeMs / 1_000)
  setOrClear(metrics.reconciled, state === 'pending' ? null : Number(state === 'reconciled'))
}

function setPnl(metrics: Metrics, { pnl }: PositionView): void {
  metrics.pnlTzs.reset()
  metrics.pnlUsd.reset()
  if (pnl === null) return
  metrics.pnlTzs.set({ component: 'spread_capture' }, Number(pnl.tzs.spreadCapture))
  metrics.pnlTzs.set({ component: 'stale_mid' }, Number(pnl.tzs.staleMid))
  metrics.pnlUsd.set({ component: 'edge' }, Number(pnl.usd.edge))
  for (const component of ['inventory', 'costs', 'unreconciled'] as const) {
    metrics.pnlTzs.set({ component }, Number(pnl.tzs[component]))
    metrics.pnlUsd.set({ component }, Number(pnl.usd[component]))
  }
}

function setOrders(metrics: Metrics, { rfq }: PositionView): void {
  for (const side of SIDES) {
    const open = rfq?.orders.filter((order) => order.side === side).length ?? null
    setOrRemove(metrics.rfqOpen, { side }, open)
  }
  for (const token of ASSETS) {
    setOrRemove(metrics.rfqPromised, { token }, rfq === null ? null : numberOf(rfq.promised, token))
    setOrRemove(metrics.rfqFree, { token }, rfq === null ? null : numberOf(rfq.free, token))
  }
  const age = rfq?.chain?.ageMs ?? null
  setOrClear(metrics.chainLagSeconds, age === null ? null : age / 1_000)
}

function numberOf(amounts: AmountTexts, token: keyof AmountTexts): number | null {
  const text = amounts[token]
  return text === undefined ? null : Number(text)
}
