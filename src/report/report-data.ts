/**
 * All that the report shows: numbers and text, ready to draw. Series share the meaning of `t`: milliseconds
 * since the epoch, ascending; NaN in a series is a hole in its line, never a figure that is shown as text.
 */
export type ReportData = {
  readonly title: string
  /** Edge per dollar traded with its interval, fills, prints, variants tried, share of synthetic fills. */
  readonly headline: readonly { readonly label: string; readonly value: string; readonly note?: string }[]
  /** Shown before anything else. */
  readonly warnings: readonly string[]
  /** Two-column tables: parameters, data window, PnL in both currencies, metrics. */
  readonly tables: readonly {
    readonly title: string
    readonly head: readonly string[]
    readonly rows: readonly (readonly string[])[]
  }[]
  readonly equity: {
    readonly t: Float64Array
    readonly usd: Float64Array
    /** 90 % band. */
    readonly low: Float64Array
    readonly high: Float64Array
  }
  readonly drawdown: { readonly t: Float64Array; readonly usd: Float64Array }
  /** Running sums of the PnL's terms in shillings. */
  readonly attribution: {
    readonly t: Float64Array
    readonly terms: readonly { readonly name: string; readonly tzs: Float64Array }[]
  }
  /** S(1+bid), S(1-ask), mid and fair value in TZS per USD: a step line that holds until the next point. */
  readonly quotes: {
    readonly t: Float64Array
    readonly mid: Float64Array
    readonly fair: Float64Array
    readonly bid: Float64Array
    readonly ask: Float64Array
  }
  readonly fills: {
    readonly t: Float64Array
    /** TZS per USD that was traded at. */
    readonly price: Float64Array
    readonly usd: Float64Array
    /** 1 = bid, 0 = ask. */
    readonly bid: Uint8Array
    readonly synthetic: Uint8Array
    /** More fills than are drawn; 0 = all of them are here. */
    readonly leftOut: number
  }
  readonly inventory: { readonly t: Float64Array; readonly usdShare: Float64Array; readonly target: number }
  readonly markouts: readonly {
    readonly horizon: string
    readonly bps: number
    readonly low: number
    readonly high: number
    readonly fills: number
  }[]
  /** Our half-spread against the best other one, bps. */
  readonly competition: {
    readonly t: Float64Array
    readonly ownBid: Float64Array
    readonly ownAsk: Float64Array
    readonly otherBid: Float64Array
    readonly otherAsk: Float64Array
  }
  /** By UTC day: share of the day each side was quoted. */
  readonly uptime: { readonly t: Float64Array; readonly bid: Float64Array; readonly ask: Float64Array }
}
