import type { Ms } from '../../../base/time.ts'
import type { Amounts, RoutedStable } from '../../../base/money/asset.ts'
import type { FeedSettings } from '../../market/feeds.ts'
import type { GapSettings } from '../../models/fair-value/gap-filter.ts'
import type { Calibration } from '../../models/calibration.ts'
import type { BidFormula } from '../../../base/money/payout.ts'
import type { PacingSettings } from '../../pacing/state.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import type { CapitalCost } from '../../strategy/context.ts'
import type { InventoryLimits, RiskSettings } from '../../risk/risk-settings.ts'

/**
 * The part of the configuration that the core uses: plain data with every default filled in and without secrets. It is journalled
 * with `started` and `reloaded`, so that a replay needs only the store.
 */
export type CoreConfig = {
  readonly name: string
  readonly mode: 'live' | 'dry-run'
  readonly strategy: StrategyChoice
  readonly pacing: PacingSettings
  readonly fees: FeeConfig
  readonly inventory: InventoryConfig
  readonly risk: RiskConfig
  readonly quote: QuoteConfig
  readonly activation: 'auto' | 'manual'
  readonly withdraw: WithdrawConfig
  /** The calibration, and the sha-256 of its file; null = no calibration. */
  readonly calibration: CalibrationChoice | null
  /** Self-custody: orders instead of pooled capital; null = off. */
  readonly rfq: RfqSettings | null
  /** The clock of the venue; null = its dates are not compared. */
  readonly venueClock: 'real' | 'virtual' | null
  /** The public rate; null = only USDC is probed, and every answer names a provider. */
  readonly publicRate: PublicRateConfig | null
  /** The venue routes round-robin among quotes this close to the best; absent in older journals = DEFAULT_TOLERANCE_BPS. */
  readonly toleranceBps?: number
  /** Reference feeds. */
  readonly feeds: readonly FeedSettings[]
  /** The account, rows without an id and a public rate that fails are judged as readings. False only in older journals. */
  readonly strictReadings: boolean
  /** Settings for estimating the true rate. */
  readonly fairValue: GapSettings
}

/** The documented distance within which the venue routes round-robin. */
export const DEFAULT_TOLERANCE_BPS = 5

export type CalibrationChoice = { readonly sourceHash: string; readonly learned: Calibration }

export type StrategyChoice = {
  /** Name in strategies/ or a path. */
  readonly use: string
  /** Parameters as validated by the strategy's own schema. */
  readonly params: unknown
  /** sha-256 of the source it was loaded from. */
  readonly sourceHash: string
}

type FeeConfig = {
  /** Used if neither the row nor a quote names the fee. */
  readonly protocolFeeBps: number
  readonly bidFormula: BidFormula
}

export type PublicRateConfig = {
  /** Quotes are derived from the mid of this pair; the other one is probed too. */
  readonly quoteStable: RoutedStable
  /**
   * The constant spreads that the venue answers, marked as low liquidity, while no provider is active; null = it has no such
   * answer.
   */
  readonly unfilled: { readonly bidBps: number; readonly askBps: number } | null
}

/** The stable of the pair that quotes are derived from. */
export function quoteStableOf({ publicRate }: CoreConfig): RoutedStable {
  return publicRate?.quoteStable ?? 'USDC'
}

export const NO_CAPITAL_COST: CapitalCost = { ntzsPerYear: 0, usdPerYear: 0 }

type InventoryConfig = {
  /** Share of the value to hold in dollars, 0..1. */
  readonly target: number
  readonly limits: InventoryLimits
  /** Absent = none. */
  readonly capitalCost?: CapitalCost
}

export type RiskConfig = RiskSettings & {
  /** Unreconciled inflows up to this amount are dust: booked as an adjustment, without an alert. */
  readonly dustUnits: { readonly [asset in keyof Amounts]: bigint }
  /** The action at the venue after a halt. */
  readonly onHalt: 'deactivate' | 'safe'
}

export type QuoteConfig = {
  readonly requoteThresholdBps: number
  readonly minRequoteIntervalMs: Ms
  /** Both sides at this spread is the safe quote. */
  readonly safeBps: number
  /** The action when both sides are off, because the venue refuses false/false. */
  readonly whenBothOff: 'deactivate' | 'safe'
  readonly onExit: 'keep' | 'widen' | 'deactivate'
  /** The longest that a deactivation waits for a quiet time without fills; null (older journals only) = no wait. */
  readonly drainMs: Ms | null
  readonly pairs: readonly string[] | null
  /** Largest random addition to a spread, in both directions, redrawn every period; 0 = no dither. */
  readonly ditherBps: number
  readonly ditherPeriodMs: Ms
}

/** Withdrawals are off unless `enabled`; each goes to a listed address and counts against the day's cap. */
export type WithdrawConfig = {
  readonly enabled: boolean
  readonly destinations: readonly string[]
  /** Per rolling 24 hours and asset; an asset that is not listed cannot be withdrawn. */
  readonly maxPerDay: { readonly [asset in keyof Amounts]?: bigint }
  /**
   * Dollars at 18 decimals: above it another token has to approve. Null = no approval; absent in journals of versions without
   * keys and approvals.
   */
  readonly approvalAboveUsd?: bigint | null
  /** The time from the approval until it is sent. */
  readonly coolOffMs?: Ms
  /** True if a halt holds approved withdrawals that are not yet sent; absent in journals of versions without this. */
  readonly haltHolds?: true
  /** Time limit for a request to be approved, and for an approved one until the tokens are in the wallet. */
  readonly approvalWithinMs?: Ms
}
