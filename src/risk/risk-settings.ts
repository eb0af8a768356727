import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'
import type { RateBand } from '../money/rate.ts'

/** The limits. A null one is off; money limits are TZS at 36 decimals (see ledger/valuation). */
export type RiskSettings = {
  /** Hard bounds on every mid and fair value. Null or absent (an older journal) = off. */
  readonly priceCorridor?: RateBand | null
  /** Against every mid in force within the last hour and the last 24 hours. Null or absent (an older journal) = off. */
  readonly maxMidMoveBpsPerHour?: number | null
  readonly maxMidMoveBpsPerDay?: number | null
  readonly maxMidAgeMs: Ms | null
  readonly maxMidStepBps: number | null
  /** Between the venue's mid and what the feeds estimate. Absent in a journal from before there were feeds: off. */
  readonly maxReferenceDeviationBps?: number | null
  /** A fill that cost more than any quote of ours by this halts. Null or absent (an older journal) = off. */
  readonly maxFillPriceDeviationBps?: number | null
  /** So much is executed before a person has to look. Null or absent (an older journal) = off. */
  readonly reviewAfter?: ReviewLimits | null
  /**
   * A deactivation, spread or custody switch that is none of ours: `latch` waits for a person, `repair` puts it back.
   * Absent (an older journal) = repair.
   */
  readonly foreignWrites?: 'latch' | 'repair'
  readonly maxLossTzs: bigint | null
  readonly maxDrawdownTzs: bigint | null
  readonly maxFillsPerMinute: number | null
  /** Per side and rolling 24 hours, USD at 18 decimals. */
  readonly maxVolumePerDayUsd: bigint | null
  readonly errorCyclesThreshold: number
  /** A balances reading that nothing explains for this long is a break, and one that stands this long halts. */
  readonly unexplainedGraceMs: Ms
}

/** Since a person last looked; a null one is off. Dollars at 18 decimals. */
export type ReviewLimits = {
  readonly fills: number | null
  readonly sameSideFills: number | null
  readonly usd: bigint | null
}

/** Below min only the side that refills the asset is quoted, above max only the one that drains it. */
export type InventoryLimits = {
  readonly [asset in Asset]?: { readonly min: bigint | null; readonly max: bigint | null }
}
