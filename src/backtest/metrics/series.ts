/**
 * What a report draws of a run. `t` is milliseconds since the epoch, ascending; NaN = off, not known, or too
 * little data for a band. Bounded in length, but for what there is one of a day.
 */
export type BacktestSeries = {
  /** The position's worth in dollars at each fill and mark, and where it could as well have been. */
  readonly equity: {
    readonly t: Float64Array
    readonly usd: Float64Array
    readonly low: Float64Array
    readonly high: Float64Array
  }
  /** Dollars below the highest PnL so far, 0 or more. */
  readonly drawdown: { readonly t: Float64Array; readonly usd: Float64Array }
  /** Running sums of the PnL's terms in shillings at the opening and at each day's end. */
  readonly attribution: {
    readonly t: Float64Array
    readonly spreadCapture: Float64Array
    readonly staleMid: Float64Array
    readonly inventory: Float64Array
    readonly costs: Float64Array
    readonly unreconciled: Float64Array
  }
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
    readonly bid: Uint8Array
    readonly synthetic: Uint8Array
    readonly leftOut: number
  }
  /** Dollars as a share of all that is held. */
  readonly inventory: { readonly t: Float64Array; readonly usdShare: Float64Array; readonly target: number }
  /** Half-spreads in bps: ours, and the best other provider's. */
  readonly competition: {
    readonly t: Float64Array
    readonly ownBid: Float64Array
    readonly ownAsk: Float64Array
    readonly otherBid: Float64Array
    readonly otherAsk: Float64Array
  }
  /** By UTC day, `t` its first moment: share of the time each side was quoted. */
  readonly uptime: { readonly t: Float64Array; readonly bid: Float64Array; readonly ask: Float64Array }
}
