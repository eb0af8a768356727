import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { BalancesRow, DecisionRow, FillRow, QuoteRow, ReferenceRow } from './tape-row.ts'

/**
 * A stretch of a tape by columns, each kind in time order; batches of one tape follow each other and do not
 * overlap. Kinds that are many are typed arrays, for they are mostly repetitions; the rest are rows.
 */
export type TapeBatch = {
  /** Rows of all kinds. */
  readonly rows: number
  readonly rates: RateColumns
  readonly competition: CompetitionColumns
  readonly references: readonly ReferenceRow[]
  readonly balances: readonly BalancesRow[]
  readonly quotes: readonly QuoteRow[]
  readonly fills: readonly FillRow[]
  /** Empty unless asked for. */
  readonly decisions: readonly DecisionRow[]
}

export type RateColumns = {
  readonly length: number
  readonly t: Float64Array
  /** Index into `mids`; equal indexes are equal mids, different ones may be equal too. */
  readonly mid: Int32Array
  readonly mids: readonly Rate[]
  /** NaN = not dated. */
  readonly rateUpdatedAt: Float64Array
  /** 1 yes, 0 no, -1 the venue does not say. */
  readonly quotable: Int8Array
}

export type CompetitionColumns = {
  readonly length: number
  readonly t: Float64Array
  /** Index into `probes`. */
  readonly probe: Int32Array
  readonly probes: readonly Probe[]
  /** -1 = nobody, or not asked. */
  readonly bidBps: Int16Array
  readonly askBps: Int16Array
}

export type Probe = { readonly from: Asset; readonly to: Asset; readonly amount: bigint }

/** What of a tape could not be read: said, counted, never dropped in silence. */
export type TapeProblem = {
  readonly file: string
  /** 'line 12', 'row group 3', 'footer'. */
  readonly at: string
  /** What is wrong and what became of it, in a sentence. */
  readonly message: string
  /** Rows that were skipped for it; null = cannot be known. */
  readonly skipped: number | null
}

/** Where a tape is read from, for those who only want its batches. */
export type TapeSource = {
  readonly batches: () => AsyncIterable<TapeBatch>
  /** Problems met so far. */
  readonly problems: () => readonly TapeProblem[]
}

/** Restricts a reading: from inclusive, to exclusive. */
export type TapeWindow = { readonly from?: Ms; readonly to?: Ms }
