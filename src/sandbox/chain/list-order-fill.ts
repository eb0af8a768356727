import { fillRow } from '../fill-row.ts'
import { pairOf } from '../pair.ts'
import { grossPayout } from '../price.ts'
import type { VenueOrderFill } from '../provider.ts'
import type { VenueState } from '../venue-state.ts'

/** Shows a fill of an order in GET /fills, as one of a swap in which the venue took no fee. */
export function listOrderFill(venue: VenueState, fill: VenueOrderFill): void {
  const { takerAsset: from, makerAsset: to, takerAmount: amountIn, makerAmount: amountOut } = fill
  const pair = pairOf(from, to)
  if (pair === null) return
  const row = fillRow(
    {
      id: fill.key,
      at: fill.at,
      taker: venue.options.rfq.solverWallet,
      side: pair.side,
      from,
      to,
      amountIn,
      amountOut,
      fee: 0n,
      debit: amountOut,
      credit: amountIn,
      earned: grossPayout(pair, amountIn, venue.mid, 0, venue.options.bidFormula) - amountOut,
      mid: venue.mid,
      spreadBps: 0,
      inTxHash: fill.txHash,
      outTxHash: fill.txHash,
    },
    venue.options.dialect,
    'rfq',
  )
  venue.fillRows.show({ at: fill.at, row }, venue.faults.fills, venue.random.fills)
}
