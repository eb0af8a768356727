import { TO_18_DECIMALS, isStable } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { VenueTerms } from './tape-venue.ts'
import type { Side } from '../money/side.ts'
import type { FillRow } from '../tape/tape-row.ts'

/**
 * The spread that a recorded fill was made at, from its amounts and the mid, to the nearest bps; for tapes
 * without our quotes. Null where the amounts give none.
 */
export function impliedBps(
  row: FillRow,
  side: Side,
  mid: Rate,
  { protocolFeeBps, bidFormula }: VenueTerms,
): number | null {
  const gross =
    row.protocolFee === null
      ? Number(row.amountOut) / (1 - protocolFeeBps / 10_000)
      : Number(row.amountOut + row.protocolFee)
  const dollarsAsset = side === 'ask' ? row.from : row.to
  if (!isStable(dollarsAsset)) return null
  const unit = Number(TO_18_DECIMALS[dollarsAsset])
  const rate = Number(mid) / 1e18
  const [paid, brought] = [gross * unit, Number(row.amountIn)]
  const bps =
    side === 'ask'
      ? 10_000 * (1 - gross / (brought * unit * rate))
      : 10_000 * (bidFormula === 'divide' ? brought / (paid * rate) - 1 : 1 - (paid * rate) / brought)
  return Number.isFinite(bps) ? Math.round(bps) : null
}
