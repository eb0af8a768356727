import type { Ms } from '../../base/time.ts'
import type { Asset } from '../../base/money/asset.ts'
import type { RateBand } from '../../base/money/rate.ts'

/** The limits. A null one is off; money limits are TZS at 36 decimals. */
export type RiskSettings = {
  /** Hard bounds on every mid and fair value. Null = off. */
  readonly priceCorridor: RateBand | null
  /** Maximum move from any mid in force within the last hour and the last 24 hours. Null = off. */
  readonly maxMidMoveBpsPerHour: number | null
  readonly maxMidMoveBpsPerDay: number | null
  readonly maxMidAgeMs: Ms | null
  readonly maxMidStepBps: number | null
  /** Maximum deviation of the venue's mid from the estimate of the feeds. Null = off. */
  readonly maxReferenceDeviationBps: number | null
  /** A fill that cost this much more than any of our quotes halts trading. Null = off. */
  readonly maxFillPriceDeviationBps: number | null
  /** Execution volume after which an operator has to review the fills. Null = off. */
  readonly reviewAfter: ReviewLimits | null
  /** Reaction to a foreign deactivation, spread or custody switch: `latch` waits for an operator, `repair` reverts it. */
  readonly foreignWrites: 'latch' | 'repair'
  readonly maxLossTzs: bigint | null
  readonly maxDrawdownTzs: bigint | null
  readonly maxFillsPerMinute: number | null
  /** Per side and rolling 24 hours, USD at 18 decimals. */
  readonly maxVolumePerDayUsd: bigint | null
  readonly errorCyclesThreshold: number
  /** Balances that are unreconciled for this long are a break, and a break that lasts this long halts. */
  readonly unexplainedGraceMs: Ms
  /**
   * A figure that is unreadable for half of this answered time requires the safe quote, for all of it a halt. Null = off.
   */
  readonly maxUnreadableMs: Ms | null
}

/** Limits since the last review; a null one is off. Dollars at 18 decimals. */
export type ReviewLimits = {
  readonly fills: number | null
  readonly sameSideFills: number | null
  readonly usd: bigint | null
}

/** Below min only the side that buys the asset is quoted, above max only the side that sells it. */
export type InventoryLimits = {
  readonly [asset in Asset]?: { readonly min: bigint | null; readonly max: bigint | null }
}

/** The off values of limits that came after the first release: journals before them, tournaments and tests have these. */
export const LATER_LIMITS_OFF = {
  priceCorridor: null,
  maxMidMoveBpsPerHour: null,
  maxMidMoveBpsPerDay: null,
  maxReferenceDeviationBps: null,
  maxFillPriceDeviationBps: null,
  reviewAfter: null,
  foreignWrites: 'repair',
  maxUnreadableMs: null,
} as const satisfies Partial<RiskSettings>
