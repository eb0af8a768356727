import type { Ms } from '../../base/time.ts'
import type { BookState } from '../../core/ledger/book/book.ts'
import type { Usd54 } from '../../core/ledger/book/value.ts'
import type { Amounts } from '../../base/money/asset.ts'
import type { CoreConfig } from '../../core/engine/model/config.ts'
import type { Calendar } from '../../core/engine/transition.ts'
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
  readonly source: TapeSource
  readonly fills: FillModel
  readonly recorder: Recorder
  readonly settings: BacktestSettings
}

export type BacktestSettings = {
  /** Null = the first balances on the tape. */
  readonly opening: Readonly<Partial<Amounts>> | null
  /** From sending a request to its effect at the venue and its answer. */
  readonly latencyMs: Ms
  /** A mid over a bound of movement is adopted after this long: it stands in for the person. */
  readonly acceptMidAfterMs: Ms
  /** Within so many bps of the best the venue takes turns. */
  readonly toleranceBps: number
  /** Whose reference rows are the fair value; null = those of the first source on the tape. */
  readonly fairValue: string | null
  /** A treasury that refills the pool; absent = none does. */
  readonly refills?: RefillSettings
}

/** What a run brought, beside what its trail kept. */
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
  /** Wishes of the strategy outside of the venue's bounds, by side and bound. */
  readonly clamps: readonly ClampedSpread[]
  /** Since when and why the strategy was no longer asked; null = it was asked to the end. */
  readonly suspension: { readonly since: Ms; readonly why: string } | null
  /** Null = every answer was what the strategy would use. */
  readonly fallback: FallbackShare | null
  /** The venue's own account of us: every fill at its time, mid and fair value. Exact. */
  readonly book: BookState
  /** What of the dollar edge is the venue's stale mid; the rest is spread capture. */
  readonly staleUsd: Usd54
  readonly opening: Amounts
  readonly held: Amounts
  /** Absent = no treasury was simulated. */
  readonly refills?: RefillTotals
}
