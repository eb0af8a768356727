import type { PnlTerm } from '../../../core/ledger/book/pnl.ts'
import type { SpreadCounts } from './bounded/spread-exposure.ts'
import type { UsdTerm } from './daily.ts'

/**
 * What a report draws of a run. `t` is milliseconds since the epoch, ascending; NaN = off, not known, or too
 * little data for a band. Bounded in length, but for what there is one of a day.
 */
export type BacktestSeries = {
  /** The position's worth in dollars at each fill and mark, and where it could as well have been. */
  readonly equity: {
    readonly t: Float64Array
    readonly usd: Float64Array
    /** 90 % band. */
    readonly low: Float64Array
    readonly high: Float64Array
    /** What the opening would be worth, had nothing been traded; and its worth half in dollars, half in shillings. */
    readonly holding: Float64Array
    readonly half: Float64Array
  }
  /** By UTC day, `t` its first moment; days without a fill are there too. */
  readonly days: {
    readonly t: Float64Array
    readonly pnlUsd: Float64Array
    /** The PnL less what the opening position would have gained. */
    readonly lessHoldingUsd: Float64Array
    readonly fills: Float64Array
  }
  /** Dollars below the highest PnL so far, 0 or more. */
  readonly drawdown: { readonly t: Float64Array; readonly usd: Float64Array }
  /** Running sums of the PnL's terms in shillings at the opening and at each day's end. */
  readonly attribution: { readonly t: Float64Array } & Readonly<Record<PnlTerm, Float64Array>>
  /** The same of the identity in dollars, at the same moments: the terms do not convert one by one. */
  readonly attributionUsd: { readonly t: Float64Array } & Readonly<Record<UsdTerm, Float64Array>>
  /** TZS per USD: S(1+bid), S(1-ask), S and M, each holding until the next point. */
  readonly quotes: {
    readonly t: Float64Array
    readonly mid: Float64Array
    readonly fair: Float64Array
    readonly bid: Float64Array
    readonly ask: Float64Array
  }
  readonly fills: {
    readonly t: Float64Array
    /** TZS per USD. */
    readonly price: Float64Array
    readonly usd: Float64Array
    /** Against the fair value of that moment; NaN = the fill had no dollars. */
    readonly edgeBps: Float64Array
    /** 1 = bid, 0 = ask. */
    readonly bid: Uint8Array
    readonly synthetic: Uint8Array
    /** How many fills there were beside these; 0 = all of them are here. */
    readonly leftOut: number
  }
  /** Dollars as a share of all that is held, 0 to 1, and the share that is aimed at (NaN = none). */
  readonly inventory: { readonly t: Float64Array; readonly usdShare: Float64Array; readonly target: number }
  /** Half-spreads in bps: ours, and the best other provider's. */
  readonly competition: {
    readonly t: Float64Array
    readonly ownBid: Float64Array
    readonly ownAsk: Float64Array
    readonly otherBid: Float64Array
    readonly otherAsk: Float64Array
  }
  /**
   * Both sides together, by half-spread in whole bps: days in which it stood, weighted by the share of the takers whom the
   * router sends to us, and the fills meanwhile. Empty without a calibration.
   */
  readonly spreads: SpreadCounts
  /** By UTC day, `t` its first moment: share of the time each side was quoted, 0 to 1. */
  readonly uptime: { readonly t: Float64Array; readonly bid: Float64Array; readonly ask: Float64Array }
}
