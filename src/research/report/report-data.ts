import type { Intensity } from '../../core/models/calibration.ts'
import type { BacktestSeries } from '../backtest/metrics/series.ts'
import type { Markout } from '../backtest/result.ts'

/**
 * Data of a report: the series of a backtest, and numbers and text, ready to draw. Parallel arrays have equal length. NaN in
 * a series is a gap in its line and is never shown as text. The report escapes all text because it may be untrusted.
 */
export type ReportData = Omit<BacktestSeries, 'attribution'> & {
  readonly title: string
  /**
   * Edge per dollar traded with its interval, fills, prints, variants tried, share of synthetic fills. The
   * first one is shown largest.
   */
  readonly headline: readonly { readonly label: string; readonly value: string; readonly note?: string }[]
  /** Shown before anything else. */
  readonly warnings: readonly string[]
  /** Two-column tables: parameters, data window, PnL in both currencies, metrics. */
  readonly tables: readonly ReportTable[]
  /** Running sums of the PnL's terms in shillings. A term called 'total' is drawn as their sum. */
  readonly attribution: {
    readonly t: Float64Array
    readonly terms: readonly { readonly name: string; readonly tzs: Float64Array }[]
  }
  /** Sorted by horizon; omits horizons that no fill has reached. */
  readonly markouts: readonly (Pick<Markout, 'horizon' | 'ci90' | 'fills'> & { readonly bps: number })[]
  /** The edge by side, pair and size; NaN = no trades. */
  readonly splits: readonly { readonly name: string; readonly bps: number; readonly fills: number }[]
  /** The edge in dollars by hour of the day, UTC: 24 values, or none. */
  readonly hours: Float64Array
  /** Intensity for both sides together; null = unknown. */
  readonly law: Intensity | null
  /** Configuration of the run, one key per row, with the hashes of referenced files; empty = unknown. */
  readonly configuration: readonly { readonly key: string; readonly value: string }[]
}

/** A table of a report. A folded table shows only its title until it is opened. */
export type ReportTable = {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly folded?: boolean
}
