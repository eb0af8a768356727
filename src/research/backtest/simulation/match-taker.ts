import { isStable } from '../../../base/money/asset.ts'
import { USD18_TO_USD54, type Usd54 } from '../../../core/ledger/book/value.ts'
import { RATE_ONE, type Rate } from '../../../base/money/rate.ts'
import { settledPnl } from '../../../core/ledger/book/book.ts'
import { applyFill } from '../../../core/ledger/book/post-fill.ts'
import type { Fill } from '../../../core/ledger/fills/fill.ts'
import type { Taker } from '../fill-models/fill-model.ts'
import type { RunState } from './state.ts'
import { routerView } from './routing.ts'
import { quotedBps, settle, type Settled, type TapeVenue } from '../venue/venue.ts'

/**
 * Handles a taker at the venue: the fill model decides if it comes to us, the pool if we can pay. Returns whether it
 * was filled.
 */
export function matchTaker(run: RunState, taker: Taker, txHash: string | null): boolean {
  const { venue, parts } = run
  const { side, stable } = taker
  const ownBps = quotedBps(venue, side, stable)
  if (ownBps === null) return false
  if (!parts.fills.takes(taker, routerView(run, side, ownBps))) return false
  const amountIn = taker.amountIn ?? amountOf(taker, venue)
  const settled = settle(venue, side, stable, amountIn, ownBps, parts.core.fees)
  if (typeof settled === 'string') {
    run.rejected += 1
    parts.recorder.rejected(taker.t, side, settled)
    return false
  }
  book(run, taker, settled, ownBps, txHash)
  return true
}

function book(run: RunState, taker: Taker, settled: Settled, bps: number, txHash: string | null): void {
  const { venue, parts } = run
  const { t, id, side, stable, synthetic, tags } = taker
  const { inAsset, amountIn, outAsset, amountOut, fee } = settled
  const terms = { id, side, inAsset, amountIn, outAsset, amountOut, fee, earnedText: null, txHash }
  const plain: Fill = { ...terms, createdAt: t, raw: '' }
  const fill = tags === undefined ? plain : { ...plain, taker: tags }
  applyFill(run.book, fill, { paidFee: fee, venueMid: venue.mid, fairValue: venue.fair })
  run.unseen.push(fill)
  run.refills?.look(t, venue.pool)
  run.fills += 1
  if (synthetic) run.syntheticFills += 1
  run.digest.fill(t, id, bps)
  const gross = amountOut + fee
  const gotDollars = isStable(inAsset)
  const dollars18 = gotDollars ? amountIn : -gross
  const shillings = gotDollars ? -gross : amountIn
  const { inverse } = settledPnl(run.book)
  if (venue.fair !== venue.mid) run.staleUsd += staleUsd(dollars18, venue.mid, inverse)
  const { fill: tell } = parts.recorder
  tell({
    t,
    id,
    side,
    stable,
    dollars18,
    shillings,
    edgeUsd54: dollars18 * USD18_TO_USD54 + shillings * inverse,
    mid: venue.mid,
    fair: venue.fair,
    bps,
    synthetic,
  })
}

/** Returns dU (M - S) / M with the ledger's own 1/M, rounded towards zero at the 54th decimal. */
function staleUsd(dollars18: bigint, mid: Rate, inverse: bigint): Usd54 {
  return dollars18 * USD18_TO_USD54 - (dollars18 * mid * inverse) / RATE_ONE
}

/** Returns the amount that a drawn taker pays, to the micro-dollar. Drawn numbers become money only here. */
function amountOf({ usd, side }: Taker, { mid }: TapeVenue): bigint {
  const dollars = BigInt(Math.max(1, Math.round((usd ?? 0) * 1e6))) * 10n ** 12n
  return side === 'bid' ? (dollars * mid) / RATE_ONE : dollars
}
