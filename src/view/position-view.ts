import type { Ms } from '../base/time.ts'
import type { FeedStatus } from '../market/market-state.ts'
import type { Asset, StableAsset } from '../money/asset.ts'
import type { Side } from '../money/side.ts'
import type { RfqView } from './rfq-view.ts'
import type { Belief, CompletenessState, TradingState } from '../engine/model/observation.ts'

/** An exact amount or rate as the shortest plain decimal, in whole tokens, TZS or USD; never a float. */
export type DecimalText = string
export type AmountTexts = { readonly [asset in Asset]?: DecimalText }

/**
 * What a position shows to people and scripts: the JSON of `GET /api/v1/state`. Null and absent mean
 * *unknown*, never zero. Ratios, bps, ages and counts are numbers; everything that is money is text.
 */
export type PositionView = {
  readonly name: string
  readonly mode: 'live' | 'dry-run'
  readonly version: string
  /** When this process took the position over, and when this view was made. */
  readonly startedAt: Ms
  readonly now: Ms
  readonly tradingState: TradingState
  /** Why not ACTIVE, or what is wrong otherwise; one sentence each, the gravest first. */
  readonly reasons: readonly string[]
  readonly paused: boolean
  /** TZS per USD. */
  readonly mid: DecimalText | null
  readonly midAgeMs: Ms | null
  readonly quotable: boolean | null
  readonly fairValue: DecimalText | null
  readonly reference: ReferenceView
  readonly isActive: boolean | null
  /** It is wanted in the market and is not: since when and why; null = it is, or is not wanted there. */
  readonly missing: { readonly since: Ms; readonly why: string } | null
  readonly quote: QuoteView
  /** Everything that is ours: pool and wallet together. */
  readonly balances: AmountTexts
  readonly pool: AmountTexts
  readonly wallet: AmountTexts
  readonly inventory: {
    /** Share of the value in dollars, 0..1. */
    readonly usdShare: number | null
    readonly target: number
    /** -1..1; +1 = all dollars. */
    readonly deviation: number | null
  }
  readonly bounds: BoundsView
  /** Null = cannot be valued. */
  readonly pnl: PnlView | null
  readonly completeness: {
    readonly state: CompletenessState
    readonly since: Ms | null
    readonly why: string
    /** Venue minus ledger, where they differ. */
    readonly unexplained: AmountTexts
    /** Age of the latest balances reading that equalled the ledger; null = there was none. */
    readonly provenAgeMs: Ms | null
  }
  readonly budget: {
    readonly limit: number
    readonly effective: number
    readonly remaining: number
    readonly windowMs: Ms
  }
  readonly competition: { readonly [side in Side]: { readonly bps: number; readonly ageMs: Ms } | null }
  readonly fills: {
    readonly total: number
    readonly bid: number
    readonly ask: number
    readonly volumeUsd: DecimalText
    /** Most recent first, at most 20. */
    readonly last: readonly FillView[]
  }
  /** What was executed since a person last looked, and who put the next look off; null = `risk.reviewAfter` is off. */
  readonly review: {
    readonly fills: number
    readonly sameSideFills: number
    readonly volumeUsd: DecimalText
    readonly override: { readonly who: string; readonly why: string; readonly until: Ms } | null
  } | null
  readonly strategy: {
    readonly use: string
    readonly params: unknown
    /** Why the strategy is not asked any more; null = it is. */
    readonly suspended: string | null
  }
  /** Self-custody: what is owed and may be promised; null = capital is pooled. */
  readonly rfq: RfqView | null
  /** Withdrawals that have not left or have no clear answer, oldest first. */
  readonly withdrawals: readonly WithdrawalView[]
  /** Where the protocol fee comes from, as learned from the balances. */
  readonly feeModel: string
  readonly requestsFailed: number
  readonly lastSeq: number
  readonly digest: string
}

/** `waiting` = for its approval; `approved` = for the end of the cool-off; `sent` and `unknown` = for an answer. */
export type WithdrawalView = {
  readonly key: string
  readonly asset: Asset
  readonly amount: DecimalText
  readonly toAddress: string
  readonly who: string
  readonly stage: 'waiting' | 'approved' | 'sent' | 'unknown'
  readonly requestedAt: Ms
  readonly approvedBy: string | null
  /** When it leaves, once it is approved. */
  readonly sendAt: Ms | null
}

/** What the reference feeds say. */
export type ReferenceView = {
  /** No feed is live: the venue's word stands alone. */
  readonly standsAlone: boolean
  /** The weighted median of the live feeds; null = none is live. */
  readonly mid: DecimalText | null
  readonly errorBps: number | null
  /** How far the venue's mid is above it. */
  readonly deviationBps: number | null
  /** `risk.maxReferenceDeviationBps`; null = off. */
  readonly limitBps: number | null
  readonly feeds: readonly FeedView[]
}

export type FeedView = {
  readonly name: string
  readonly status: FeedStatus
  readonly mid: DecimalText | null
  /** Since the last good reading of this process; null = there was none. */
  readonly ageMs: Ms | null
  /** When the source dated it, on its clock; null = it gives no date. */
  readonly datedAt: Ms | null
  readonly weight: number
  /** Why the latest reading was not taken. */
  readonly problem: string | null
}

/** What no strategy gets past: the venue's bounds and the limits of the configuration. Null = no limit. */
export type BoundsView = {
  readonly minBps: number
  readonly maxBps: number
  /** Both sides at this spread is the safe quote. */
  readonly safeBps: number
  readonly maxMidAgeMs: Ms | null
  /** Of what is held; the assets that have limits only. */
  readonly inventory: {
    readonly [asset in Asset]?: { readonly min: DecimalText | null; readonly max: DecimalText | null }
  }
}

/** `believed` says how far the figures beside it can be trusted; they are what was confirmed last. */
export type QuoteView = {
  readonly believed: Belief
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly quoteBid: boolean | null
  readonly quoteAsk: boolean | null
  readonly confirmedAt: Ms | null
  /** What should stand; null bps = side off. */
  readonly target: { readonly bidBps: number | null; readonly askBps: number | null } | null
  readonly because: readonly string[]
}

/** Signed contributions; `total` is the sum of the terms beside it. */
export type PnlView = {
  readonly tzs: {
    readonly postedSpread: DecimalText
    readonly staleMid: DecimalText
    readonly inventory: DecimalText
    readonly costs: DecimalText
    readonly unexplained: DecimalText
    readonly total: DecimalText
  }
  readonly usd: {
    readonly edge: DecimalText
    readonly inventory: DecimalText
    readonly costs: DecimalText
    readonly unexplained: DecimalText
    readonly total: DecimalText
  }
  /** Value less opening, flows and terms: exactly '0', or the ledger has a bug. */
  readonly residual: { readonly tzs: DecimalText; readonly usd: DecimalText }
  readonly perToken: {
    readonly [asset in StableAsset]?: {
      readonly postedSpread: DecimalText
      readonly staleMid: DecimalText
      readonly inventory: DecimalText
      readonly edgeUsd: DecimalText
    }
  }
}

export type FillView = {
  readonly id: string
  /** When it was executed, on the venue's clock; null where the venue does not say. */
  readonly at: Ms | null
  /** When it was booked, on ours. */
  readonly seenAt: Ms
  readonly side: Side
  readonly amountIn: DecimalText
  readonly inAsset: Asset
  readonly amountOut: DecimalText
  readonly outAsset: Asset
}
