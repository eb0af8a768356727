import { Decimal } from 'decimal.js'
import { request } from 'undici'
import type { AmountTexts, PositionView } from '../engine/position-view.ts'
import { ASSETS } from '../money/asset.ts'

/** The part of GET /sandbox/state that is looked at. */
type VenueState = {
  readonly book: { readonly ours: { readonly fills: readonly unknown[]; readonly pool: AmountTexts } }
}

/** What the market brought, and whether the venue's own book agrees with ours to the last unit. */
export async function demoSummary(venueUrl: string, view: PositionView | null): Promise<string> {
  if (view === null) return 'Summary: the daemon never showed a state.'
  const { fills, pnl } = view
  const lines = [
    'Summary',
    `  fills      ${fills.total} (${fills.bid} bid, ${fills.ask} ask), ${new Decimal(fills.volumeUsd).toFixed(2)} USD`,
  ]
  if (pnl === null) lines.push('  PnL        cannot be valued: no mid was seen')
  else {
    const { tzs, usd } = pnl
    const terms = [tzs.postedSpread, tzs.staleMid, tzs.inventory, tzs.costs, tzs.unexplained]
      .map(signed)
      .join(' ')
    lines.push(
      `  PnL        ${signed(tzs.total)} TZS = spread, stale mid, inventory, costs, unexplained: ${terms}`,
    )
    lines.push(
      `             ${signed(usd.total, 4)} USD; both identities add up with a residual of ${pnl.residual.tzs} and ${pnl.residual.usd}`,
    )
  }
  lines.push(`  books      ${await agreement(venueUrl, view)}`)
  return lines.join('\n')
}

function signed(text: string, digits = 0): string {
  const value = new Decimal(text)
  return `${value.isNegative() ? '' : '+'}${value.toFixed(digits)}`
}

/** Asks the venue in a box for what it itself has of us: not a view of ours in any way. */
async function agreement(venueUrl: string, view: PositionView): Promise<string> {
  const ours = `${view.completeness.state}: ${view.completeness.why}`
  try {
    const answer = await request(`${venueUrl}/sandbox/state`, { headersTimeout: 2_000, bodyTimeout: 2_000 })
    const state = (await answer.body.json()) as VenueState
    const { fills, pool } = state.book.ours
    if (fills.length > view.fills.total) {
      const unseen = fills.length - view.fills.total
      return `${ours}; ${unseen} more came after our last look and are booked at the next start`
    }
    const equal = ASSETS.every((asset) => (pool[asset] ?? '0') === (view.pool[asset] ?? '0'))
    return equal
      ? `the venue's own book has the same ${fills.length} fills and the same balances, to the last unit`
      : `${ours}; the venue's own book DIFFERS: ${JSON.stringify(pool)}`
  } catch {
    return `${ours}; the venue is gone`
  }
}
