import { Decimal } from 'decimal.js'
import type { PositionView } from '../engine/position-view.ts'

/** One line that says how it goes, for logs and pipes. */
export function statusLine(view: PositionView): string {
  const { quote, fills, pnl, inventory, completeness, rfq } = view
  const side = (bps: number | null, on: boolean | null) => (on === false ? 'off' : `${bps ?? '?'}`)
  const spread = `bid ${side(quote.bidBps, quote.quoteBid)} ask ${side(quote.askBps, quote.quoteAsk)} bps (${quote.believed})`
  const standing =
    rfq === null ? spread : `orders ${rfq.orders.length}${rfq.blocked === null ? '' : ' (blocked)'}`
  const share = inventory.usdShare === null ? 'unknown' : `${(inventory.usdShare * 100).toFixed(1)} %`
  const total = pnl === null ? 'not valued' : `${new Decimal(pnl.tzs.total).toFixed(0)} TZS`
  return [
    new Date(view.now).toISOString(),
    view.tradingState,
    ...(view.missing === null ? [] : [`NOT IN THE MARKET: ${view.missing.why}`]),
    standing,
    `mid ${view.mid ?? 'unknown'}`,
    `dollars ${share}`,
    `fills ${fills.total}`,
    `PnL ${total}`,
    `books ${completeness.state}`,
  ].join(' | ')
}
