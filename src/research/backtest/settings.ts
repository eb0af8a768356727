import type { Ms } from '../../base/time.ts'
import type { BookState } from '../../core/ledger/book/book.ts'
import type { Usd54 } from '../../core/ledger/book/value.ts'
import type { Amounts } from '../../base/money/asset.ts'
import type { CoreConfig } from '../../core/engine/model/config.ts'
import type { Calendar } from '../../core/engine/transition.ts'
import type { OwnData } from '../../core/strategy/context.ts'
import type { LoadedStrategy } from '../../core/strategy/define-strategy.ts'
import type { TapeSource } from '../../store/tape/model/batch.ts'
import type { FillModel } from './fill-models/fill-model.ts'
import type { ClampedSpread } from './simulation/clamp-count.ts'
import type { FallbackShare } from './simulation/fallback-time.ts'
import type { Recorder } from './recorder.ts'
import type { BacktestResult } from './result.ts'
import type { RefillSettings, RefillTotals } from './venue/refills.ts'

export type BacktestParts = {
  readonly core: CoreConfig
  readonly strategy: LoadedStrategy
  readonly calendar: Calendar
  /** Absent = the strategy has no data of its own. */
  readonly data?: OwnData | undefined
  readonly source: TapeSource
  readonly fills: FillModel
  readonly recorder: Recorder
  readonly settings: BacktestSettings
}

export type BacktestSettings = {
  /** Opening balances; null = the first balances on the tape. */
  readonly opening: Readonly<Partial<Amounts>> | null
  /** Delay from sending a request to its effect at the venue and to its answer. */
  readonly latencyMs: Ms
  /** A pending mid is adopted after this delay; live, an operator decides. */
  readonly acceptMidAfterMs: Ms
  /** Routing tolerance: the venue rotates among providers within this many bps of the best. */
  readonly toleranceBps: number
  /** Source of the fair value; null = the source of the tape's first reference row. */
  readonly fairValue: string | null
  /** Treasury that refills the pool; absent = no refills. */
  readonly refills?: RefillSettings
}

/** Outcome of a run, without its recorder's measurements. */
export type BacktestOutcome = Pick<
  BacktestResult,
  | 'events'
  | 'fills'
  | 'rejected'
  | 'quoteUpdates'
  | 'midsAccepted'
  | 'elapsedMs'
  | 'readMs'
  | 'fairValueSource'
  | 'digest'
  | 'warnings'
> & {
  readonly from: Ms
  readonly to: Ms
  readonly syntheticFills: number
  /** The rows that were read from the tape, and how many of them are fills. */
  readonly read: { readonly rows: number; readonly fills: number }
  /** The strategy's targets outside the venue's bounds, by side and bound. */
  readonly clamps: readonly ClampedSpread[]
  /** When and why the strategy was suspended, and after how many fills; null = never. */
  readonly suspension: { readonly since: Ms; readonly why: string; readonly fillsBefore: number } | null
  /** Null = the strategy never fell back. */
  readonly fallback: FallbackShare | null
  /** The venue's account of our position: every fill at its time, mid and fair value. Exact. */
  readonly book: BookState
  /** Part of the dollar edge due to the venue's stale mid; the rest is spread capture. */
  readonly staleUsd: Usd54
  readonly opening: Amounts
  readonly held: Amounts
  /** Absent = no treasury was simulated. */
  readonly refills?: RefillTotals
}
