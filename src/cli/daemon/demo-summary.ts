import { Decimal } from 'decimal.js'
import type { PositionView } from '../../daemon/view/position-view.ts'
import type { PnlView } from '../../daemon/view/ledger-view.ts'
import { PNL_TERMS } from '../../core/ledger/book/pnl.ts'
import { compareBooks } from '../../simulator/sandbox/demo/compare-books.ts'

/**
 * Returns the demo's fills and PnL, and whether the venue's accounts equal ours to the last unit. `look` reads the
 * daemon's view like any client.
 */
export async function demoSummary(
  venueUrl: string,
  look: () => Promise<PositionView | null>,
): Promise<string> {
  const { view, books } = await compareBooks(venueUrl, look)
  if (view === null) return 'Summary: the daemon returned no state.'
  const { fills, pnl } = view
  const lines = [
    'Summary',
    `  fills      ${fills.total} (${fills.bid} bid, ${fills.ask} ask), ${new Decimal(fills.volumeUsd).toFixed(2)} USD`,
    ...(pnl === null ? ['  PnL        not valued: no mid was read'] : pnlLines(pnl)),
    `  ledger     ${books}`,
  ]
  return lines.join('\n')
}

function pnlLines({ tzs, usd, residual }: PnlView): string[] {
  const shown = PNL_TERMS.map((term) => signed(tzs[term])).join(' ')
  return [
    `  PnL        ${signed(tzs.total)} TZS = spread, stale mid, inventory, costs, unreconciled: ${shown}`,
    `             ${signed(usd.total, 4)} USD; both identities add up with a residual of ${residual.tzs} and ${residual.usd}`,
  ]
}

function signed(text: string, digits = 0): string {
  const value = new Decimal(text)
  return `${value.isNegative() ? '' : '+'}${value.toFixed(digits)}`
}
