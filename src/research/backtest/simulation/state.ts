import type { Ms } from '../../../base/time.ts'
import { createBook, type BookState } from '../../../core/ledger/book/book.ts'
import type { Fill } from '../../../core/ledger/fills/fill.ts'
import type { Usd54 } from '../../../core/ledger/book/value.ts'
import { MAX_SPREAD_BPS } from '../../../base/money/bps.ts'
import { zeroAmounts } from '../../../base/money/asset.ts'
import type { BacktestParts } from '../settings.ts'
import { type ClampCount, createClampCount } from './clamp-count.ts'
import { FallbackTime } from './fallback-time.ts'
import type { RunDigest } from './run-digest.ts'
import type { Side } from '../../../base/money/side.ts'
import { watchProbes, type ProbeWatch } from '../../../store/tape/summary/probes.ts'
import { SimulatedRefills } from '../venue/refills.ts'
import type { TapeVenue } from '../venue/venue.ts'

/** One backtest at work: the venue, its account of us, and what it has told the core of already. */
export type RunState = {
  readonly parts: BacktestParts
  readonly venue: TapeVenue
  /** Null = nothing refills the pool. */
  readonly refills: SimulatedRefills | null
  /** The venue's account of us: each fill at its own time, mid and fair value. */
  readonly book: BookState
  /** Fills that the core has not seen yet, oldest first. */
  unseen: Fill[]
  /** What the tape's probes mean, as far as it was read. */
  readonly probes: ProbeWatch
  /** What the recorder received last about whom the router sends to us. */
  readonly routed: Record<Side, number>
  /** When the core was started; null = the tape has not shown a mid and balances yet. */
  startedAt: Ms | null
  fills: number
  syntheticFills: number
  rejected: number
  quoteUpdates: number
  midsAccepted: number
  /** Wishes outside of the venue's bounds. */
  readonly clamps: ClampCount
  readonly fallback: FallbackTime
  /** Sum of dU (M - S) / M over the fills: the share of the dollar edge that is the venue's stale mid. */
  staleUsd: Usd54
  /** What the run is notified apart by. */
  readonly digest: RunDigest
}

export function createRunState(parts: BacktestParts, digest: RunDigest): RunState {
  const safe = MAX_SPREAD_BPS
  const { refills } = parts.settings
  return {
    parts,
    refills: refills === undefined ? null : new SimulatedRefills(refills),
    venue: {
      mid: 0n,
      fair: 0n,
      fairSource: null,
      rateUpdatedAt: null,
      quotable: null,
      own: { bidBps: safe, askBps: safe, quoteBid: true, quoteAsk: true, quotePairs: null },
      active: true,
      pool: zeroAmounts(),
      recorded: { bid: null, ask: null },
      other: { bid: null, ask: null },
    },
    book: createBook(),
    unseen: [],
    probes: watchProbes(parts.settings.toleranceBps),
    routed: { bid: 0, ask: 0 },
    startedAt: null,
    fills: 0,
    syntheticFills: 0,
    rejected: 0,
    quoteUpdates: 0,
    midsAccepted: 0,
    clamps: createClampCount(),
    fallback: new FallbackTime(),
    staleUsd: 0n,
    digest,
  }
}
