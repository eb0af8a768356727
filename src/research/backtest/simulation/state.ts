import type { Ms } from '../../../base/time.ts'
import { createBook } from '../../../core/ledger/book/book.ts'
import type { Fill } from '../../../core/ledger/fills/fill.ts'
import type { Usd54 } from '../../../core/ledger/book/value.ts'
import { MAX_SPREAD_BPS } from '../../../base/money/bps.ts'
import { zeroAmounts } from '../../../base/money/asset.ts'
import type { BacktestParts } from '../settings.ts'
import { createClampCount } from './clamp-count.ts'
import { FallbackTime } from './fallback-time.ts'
import type { RunDigest } from './run-digest.ts'
import { watchProbes } from '../../../store/tape/summary/probes.ts'
import { SimulatedRefills } from '../venue/refills.ts'
import type { TapeVenue } from '../venue/venue.ts'

/** State of a running backtest: the venue, its account of our position, and the fills that the core has not seen. */
export type RunState = ReturnType<typeof createRunState>

/** `digest` identifies the run. */
export function createRunState(parts: BacktestParts, digest: RunDigest) {
  const safe = MAX_SPREAD_BPS
  const { refills } = parts.settings
  const venue: TapeVenue = {
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
  }
  return {
    parts,
    venue,
    /** Null = no refills. */
    refills: refills === undefined ? null : new SimulatedRefills(refills),
    /** The venue's account of our position: each fill at its own time, mid and fair value. */
    book: createBook(),
    /** Fills that the core has not seen yet, oldest first. */
    unseen: [] as Fill[],
    /** The meaning of the tape's probes, as detected so far. */
    probes: watchProbes(parts.settings.toleranceBps),
    /** Our share of the takers by side, as last reported to the recorder. */
    routed: { bid: 0, ask: 0 },
    /** When the core was started; null = the tape has not shown a mid and balances yet. */
    startedAt: null as Ms | null,
    fills: 0,
    syntheticFills: 0,
    rejected: 0,
    quoteUpdates: 0,
    midsAccepted: 0,
    /** Targets outside the venue's bounds. */
    clamps: createClampCount(),
    fallback: new FallbackTime(),
    /** Sum of dU (M - S) / M over the fills: the part of the dollar edge due to the venue's stale mid. */
    staleUsd: 0n as Usd54,
    digest,
  }
}
