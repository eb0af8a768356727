import type { Ms } from '../../base/time.ts'
import type { Random } from '../../base/random.ts'
import type { Calibration } from '../models/calibration.ts'
import type { FeedStatus } from '../market/market-state.ts'
import type { StableAsset } from '../../base/money/asset.ts'
import type { Side, TakerTags } from '../../base/money/side.ts'

/** Why the strategy is asked. Without another cause it is asked at least every 15 s, with `timer`. */
export type Cause = 'start' | 'rate' | 'fill' | 'competition' | 'balances' | 'timer' | 'params'

export type RecentFill = {
  /** When the position learnt of it, which is up to one poll after the venue's time. */
  readonly at: Ms
  readonly side: Side
  readonly stable: StableAsset
  /** Dollars of the fill, always positive. */
  readonly usd: number
  /** What the venue names of the taker, the wallet shortened; absent = nothing. `takerMix` of the kit sums it up. */
  readonly taker?: TakerTags
}

export type CompetitionOnSide = {
  /** Bps of the provider that the venue would pick for our probe; ours if we are the best. */
  readonly bestBps: number
  readonly ageMs: Ms
}

/**
 * The value of our fills of one side after the next update of the mid: the mean of 1e4 (dN + dU M') / (|dU| M), weighted by
 * dollars, over the last 30 updates that had fills. Negative = the takers were better informed than the mid.
 */
export type SideMarkouts = {
  readonly fills: number
  readonly meanBps: number
  /** Mean movement of the fair value against us after the fill, with the same weights: the cost of informed takers. */
  readonly impactBps: number
  /** Standard error: fills before one update share its move, so it counts updates rather than fills. */
  readonly errorBps: number
}

/** The estimated gap between fair value and mid. Sell dollars wider by it, buy them narrower: bid + bps, ask - bps. */
export type FairShift = {
  /** Fair value less mid, bps of the mid; + = a dollar is worth more than the mid. */
  readonly bps: number
  /** Standard deviation of its error; grows while nothing is received. */
  readonly errorBps: number
  /** Expected move of the fair value, bps per day; at weekends reduced as configured. */
  readonly driftBpsPerDay: number
  /** Number of live feeds. 0 = the estimate depends on the updates of the mid and on earlier readings. */
  readonly feeds: number
  /** Short sentences: the estimate, and the last reading of each source with its weight. */
  readonly reasons: readonly string[]
}

/** A reference feed as it was last read, also one that does not count. */
export type RawFeed = {
  readonly name: string
  /** Its last good figure; null until there was one. */
  readonly tzsPerUsd: number | null
  /** Time since it was last read, in a backtest since its figure changed; null = this process has not read it. */
  readonly ageMs: Ms | null
  /** Whether it counts in the fair value (`live`), and if not, why. */
  readonly status: FeedStatus
}

/** Returns the values of the latest row at or before a time, never of a later one. A column without a value is absent. */
export type OwnData = (now: Ms) => Readonly<Record<string, number | undefined>>

/** The tokens that orders of a wallet in self-custody may commit in total, open orders included. */
export type Available = {
  readonly ntzs: number
  /** By dollar token; tokens of other chains are absent. */
  readonly stables: Readonly<Partial<Record<StableAsset, number>>>
}

/** Interest a year on what is held: 0.12 = 12 %. */
export type CapitalCost = { readonly ntzsPerYear: number; readonly usdPerYear: number }

/**
 * All inputs of a strategy. The context is valid during the call only; a strategy that keeps a value keeps a copy. Money is float64
 * here: quotes are integers of bps, and no value flows back into the ledger. Equal contexts and states give equal quotes.
 */
export type StrategyContext = {
  readonly now: Ms
  readonly cause: Cause
  /** The venue's mid, TZS per USD. */
  readonly mid: number
  /** Null if the venue does not date its mid. */
  readonly midAgeMs: Ms | null
  /**
   * The weighted median of the live reference feeds, and their typical distance from it, in bps: the weighted median of their
   * distances, so 0 with one feed, whose error is unknown. Without a live feed: the mid, 0.
   */
  readonly fairValue: { readonly tzsPerUsd: number; readonly errorBps: number }
  /** The estimated gap between the fair value and the venue's mid, from feeds and updates. */
  readonly fairShift: FairShift
  /** Each configured feed, in the order of the configuration. In a backtest: the tape's reference. */
  readonly feeds: readonly RawFeed[]
  readonly inventory: {
    readonly ntzs: number
    readonly usd: number
    /** Share of the value held in dollars, 0..1. */
    readonly usdShare: number
    /** Share wanted in dollars, from the configuration. */
    readonly target: number
    /** From the configuration. */
    readonly capitalCost: CapitalCost
    /**
     * Signed distance from the target, -1..1: +1 = all dollars, -1 = all shillings, 0 = on target, each side scaled to its
     * room.
     */
    readonly imbalance: number
    /** Value of everything, TZS. */
    readonly totalTzs: number
  }
  /** Most recent first, at most 100. */
  readonly recentFills: readonly RecentFill[]
  /** Null for a side whose fills do not span two updates of the mid. */
  readonly markouts: { readonly bid: SideMarkouts | null; readonly ask: SideMarkouts | null }
  readonly competition: { readonly bid: CompetitionOnSide | null; readonly ask: CompetitionOnSide | null }
  /** Our last confirmed quote; null = side off or unknown. */
  readonly standing: { readonly bidBps: number | null; readonly askBps: number | null }
  readonly protocolFeeBps: number
  /** The venue routes round-robin among the providers within this distance of the lowest spread: `venue.toleranceBps`. */
  readonly toleranceBps: number
  /** Null while the capital is in the pool, and until the chain has been read. */
  readonly available: Available | null
  /** The result of `mizani calibrate`; null = the configuration names no file. */
  readonly calibration: Calibration | null
  /** The columns of `backtest.data` now, by name; null = no such file, as always in a live daemon. */
  readonly data: ReturnType<OwnData> | null
  /** Whether a cron expression matches the minute of `now` in that time zone. */
  readonly inWindow: (cron: string, timezone: string) => boolean
  /** A stream that depends only on the event's number and the label. */
  readonly random: (label: string) => Random
}
