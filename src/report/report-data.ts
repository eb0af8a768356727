/**
 * All that the report shows: numbers and text, ready to draw. Arrays that stand together have one length.
 * `t` is milliseconds since the epoch, ascending. NaN in a series is a hole in its line, never a figure that
 * is shown as text. Any text may come from outside: the report escapes all of it.
 */
export type ReportData = {
  readonly title: string
  /**
   * Edge per dollar traded with its interval, fills, prints, variants tried, share of synthetic fills. The
   * first one is shown largest.
   */
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
    /** 90 % band; NaN where there is none. */
    readonly low: Float64Array
    readonly high: Float64Array
  }
  /** Dollars below the highest equity so far. The sign does not matter: it is drawn downwards. */
  readonly drawdown: { readonly t: Float64Array; readonly usd: Float64Array }
  /** Running sums of the PnL's terms in shillings. A term called 'total' is drawn as their sum. */
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
    /** How many fills there were beside these; 0 = all of them are here. */
    readonly leftOut: number
  }
  /** Dollars as a share of the whole position, 0 to 1, and the share that is aimed at (NaN = none). */
  readonly inventory: { readonly t: Float64Array; readonly usdShare: Float64Array; readonly target: number }
  /** In the order of their horizons; NaN in `low` and `high` = no interval. */
  readonly markouts: readonly {
    readonly horizon: string
    readonly bps: number
    readonly low: number
    readonly high: number
    readonly fills: number
  }[]
  /** Our half-spread against the best other one, bps: step lines. */
  readonly competition: {
    readonly t: Float64Array
    readonly ownBid: Float64Array
    readonly ownAsk: Float64Array
    readonly otherBid: Float64Array
    readonly otherAsk: Float64Array
  }
  /** By UTC day, `t` its midnight: share of the day each side was quoted, 0 to 1. */
  readonly uptime: { readonly t: Float64Array; readonly bid: Float64Array; readonly ask: Float64Array }
}
