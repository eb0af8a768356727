import type { Ms } from '../../../base/time.ts'
import type { Spread } from '../../../core/engine/model/effect.ts'
import type { PostedFill } from '../../../core/ledger/fills/fees.ts'
import {
  type Amounts,
  type Asset,
  isStable,
  type StableAsset,
  TOKEN_UNIT,
} from '../../../base/money/asset.ts'
import { coversPayout, grossPayout, splitProtocolFee, type BidFormula } from '../../../base/money/payout.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import type { Rejection } from '../recorder.ts'
import type { TapeFill } from '../../../store/tape/model/row.ts'

/** State of the simulated venue: the tape's market with our counterfactual quote in it. */
export type TapeVenue = {
  mid: Rate
  /** The fair value: the latest reference, or the mid. */
  fair: Rate
  /** Source of that reference; null = no reference yet. */
  fairSource: string | null
  rateUpdatedAt: Ms | null
  quotable: boolean | null
  /** Our live quote at the venue, which lags the core's by the latency of a PATCH. */
  own: Spread
  active: boolean
  pool: Amounts
  /** Our quote when the tape was recorded; null = off or unknown. */
  recorded: Record<Side, number | null>
  /** Best spread of another provider; null = unknown, or no provider quotes. */
  other: Record<Side, number | null>
}

type VenueTerms = { readonly protocolFeeBps: number; readonly bidFormula: BidFormula }

/** A swap settled against our pool. Book amounts; the fee is in `outAsset` and left the pool too. */
export type Settled = Pick<PostedFill, 'inAsset' | 'amountIn' | 'outAsset' | 'amountOut' | 'fee'>

/** Returns our current spread on a side; null = off. */
export function standingBps({ active, own }: TapeVenue, side: Side): number | null {
  if (!active || !(side === 'bid' ? own.quoteBid : own.quoteAsk)) return null
  return side === 'bid' ? own.bidBps : own.askBps
}

/** Returns our current spread for a taker with that side and dollar; null = not quoted. */
export function quotedBps(venue: TapeVenue, side: Side, stable: StableAsset): number | null {
  const { quotePairs } = venue.own
  // Pairs are named by symbol; to the router, USDT on another chain is USDT.
  if (quotePairs !== null && !quotePairs.includes(stable.split('.')[0] ?? stable)) return null
  return standingBps(venue, side)
}

/**
 * Settles a taker at our spread, whole or not at all: the pool must hold the whole payout at mid (venue.md,
 * Routing). Rounded down: the venue keeps the dust.
 */
export function settle(
  venue: TapeVenue,
  side: Side,
  stable: StableAsset,
  amountIn: bigint,
  bps: number,
  terms: VenueTerms,
): Settled | Rejection {
  const outAsset: Asset = side === 'ask' ? 'NTZS' : stable
  const held = venue.pool[outAsset]
  const grain = TOKEN_UNIT[outAsset]
  const swap = { side, grain }
  if (!coversPayout(held, swap, amountIn, venue.mid)) return 'inventory'
  const gross = grossPayout(swap, amountIn, venue.mid, bps, terms.bidFormula)
  const { net, fee } = splitProtocolFee(gross, terms.protocolFeeBps, grain)
  if (net <= 0n) return 'dust'
  const inAsset: Asset = side === 'ask' ? stable : 'NTZS'
  venue.pool[inAsset] += amountIn
  venue.pool[outAsset] = held - gross
  return { inAsset, amountIn, outAsset, amountOut: net, fee }
}

/**
 * Returns the spread of a recorded fill from its amounts and the mid, to the nearest bps, for tapes without our quotes.
 * Null if the amounts give none.
 */
export function impliedBps(
  row: TapeFill,
  side: Side,
  mid: Rate,
  { protocolFeeBps, bidFormula }: VenueTerms,
): number | null {
  const gross =
    row.protocolFee === null
      ? Number(row.amountOut) / (1 - protocolFeeBps / 10_000)
      : Number(row.amountOut + row.protocolFee)
  if (!isStable(side === 'ask' ? row.from : row.to)) return null
  const rate = Number(mid) / 1e18
  const brought = Number(row.amountIn)
  const bps =
    side === 'ask'
      ? 10_000 * (1 - gross / (brought * rate))
      : 10_000 * (bidFormula === 'divide' ? brought / (gross * rate) - 1 : 1 - (gross * rate) / brought)
  return Number.isFinite(bps) ? Math.round(bps) : null
}

/** Returns the best spread of a side, ours included; null = no provider quotes it. */
export function bestBps({ own, active, other }: TapeVenue, side: Side): number | null {
  const quoted = active && (side === 'bid' ? own.quoteBid : own.quoteAsk)
  const ours = quoted ? (side === 'bid' ? own.bidBps : own.askBps) : Infinity
  const best = Math.min(ours, (side === 'bid' ? other.bid : other.ask) ?? Infinity)
  return best === Infinity ? null : best
}
