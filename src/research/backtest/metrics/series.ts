import type { PnlTerm } from '../../../core/ledger/book/pnl.ts'
import type { SpreadCounts } from './bounded/spread-exposure.ts'
import type { UsdTerm } from './daily.ts'

/**
 * Series that a report draws. `t` is milliseconds since the epoch, ascending. NaN = off, unknown, or too little data for a
 * band. All series are bounded in length except those with one entry per day.
 */
export type BacktestSeries = {
  /** The position's value in dollars at each fill and mark, with its 90 % band. */
  readonly equity: {
    readonly t: Float64Array
    readonly usd: Float64Array
    /** 90 % band. */
    readonly low: Float64Array
    readonly high: Float64Array
    /** Value of the opening held to the end, and of half of its value in each currency. */
    readonly holding: Float64Array
    readonly half: Float64Array
  }
  /** One entry per UTC day, including days without fills; `t` is the start of the day. */
  readonly days: {
    readonly t: Float64Array
    readonly pnlUsd: Float64Array
    /** The PnL minus what the opening position would have gained. */
    readonly lessHoldingUsd: Float64Array
    readonly fills: Float64Array
  }
  /** Dollars below the highest PnL so far, 0 or more. */
  readonly drawdown: { readonly t: Float64Array; readonly usd: Float64Array }
  /** Running sums of the PnL's terms in shillings at the opening and at each day's end. */
  readonly attribution: { readonly t: Float64Array } & Readonly<Record<PnlTerm, Float64Array>>
  /** The dollar identity at the same moments; its terms cannot be converted one by one. */
  readonly attributionUsd: { readonly t: Float64Array } & Readonly<Record<UsdTerm, Float64Array>>
  /** TZS per USD: S(1+bid), S(1-ask), S and M, each valid until the next point. */
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
    /** Number of omitted fills; 0 = the list is complete. */
    readonly leftOut: number
  }
  /** Dollars as a share of all holdings, 0 to 1, and the target share (NaN = no target). */
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
   * Both sides together by half-spread in whole bps: days of exposure, weighted by the share of takers routed to us,
   * and fills. Empty without a calibration.
   */
  readonly spreads: SpreadCounts
  /** Share of each UTC day that each side was quoted, 0 to 1; `t` is the start of the day. */
  readonly uptime: { readonly t: Float64Array; readonly bid: Float64Array; readonly ask: Float64Array }
  /** What the strategy plotted at its decisions; each value holds until the next one. */
  readonly plots: readonly {
    readonly name: string
    readonly t: Float64Array
    readonly values: Float64Array
  }[]
}

/**
 * What the strategy plotted at its decisions, by name: `time` in milliseconds since 1970, an entry for each decision where one of the values changed. A long run keeps the
 * lowest and the highest value of each of 1,024 to 2,048 equal spans; `--decisions` lists every change.
 */
export type PlotColumns = Readonly<
  Record<string, { readonly time: readonly number[]; readonly value: readonly number[] }>
>
