import { renderPositions, type ListedPosition } from './positions.ts'
import { renderStatus } from './render.ts'
import type { ScreenContent } from '../../output/screen.ts'
import type { PositionRead, PositionUnavailable } from '../position.ts'
import { tableRow } from '../../output/tables.ts'
import { Decimal } from 'decimal.js'
import type { PositionView } from '../../../view/position-view.ts'

/** One position whole, with what has to be known of the figures above it. */
export function statusContent(seen: PositionRead | PositionUnavailable): ScreenContent {
  if ('why' in seen) return noteContent(seen.why)
  const { view, note } = seen
  const above = note === null ? [] : [note]
  return {
    lines: (look) => [
      ...above.flatMap((text) => tableRow('', [{ text, tone: 'warn' }], look)),
      ...renderStatus(view, look),
    ],
    line: () => [...above, statusLine(view)].join(' | '),
  }
}

/** Several positions as a list. */
export function positionsContent(positions: readonly ListedPosition[]): ScreenContent {
  return {
    lines: (look) => renderPositions(positions, look),
    line: () =>
      positions
        .map(({ name, seen }) => `${name} | ${'why' in seen ? seen.why : statusContent(seen).line()}`)
        .join('\n'),
  }
}

/** A sentence where there is nothing else to be seen. */
export function noteContent(text: string): ScreenContent {
  return { lines: (look) => tableRow('', [text], look), line: () => text }
}

/** The state in one line, for logs and pipes. */
export function statusLine(view: PositionView): string {
  const { quote, fills, pnl, inventory, reconciliation, rfq } = view
  const side = (bps: number | null, on: boolean | null) => (on === false ? 'off' : `${bps ?? '?'}`)
  const spread = `bid ${side(quote.bidBps, quote.quoteBid)} ask ${side(quote.askBps, quote.quoteAsk)} bps (${quote.status})`
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
    `books ${reconciliation.state}`,
  ].join(' | ')
}
