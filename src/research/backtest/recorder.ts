import type { Ms } from '../../base/time.ts'
import type { Event } from '../../core/engine/model/event.ts'
import type { TradingState } from '../../core/engine/model/observation.ts'
import type { Plot } from '../../core/strategy/define-strategy.ts'
import type { BookState } from '../../core/ledger/book/book.ts'
import type { Usd54 } from '../../core/ledger/book/value.ts'
import type { Amounts, StableAsset } from '../../base/money/asset.ts'
import type { MidPlaces } from '../../base/money/mid-places.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { Side } from '../../base/money/side.ts'

/** A fill of the backtest, at the venue's time. */
export type RecordedFill = {
  readonly t: Ms
  readonly id: string
  readonly side: Side
  readonly stable: StableAsset
  /** Our dollars, 18 decimals, signed: + = we got dollars. */
  readonly dollars18: bigint
  /** Our shillings, base units, signed, net of the protocol fee. */
  readonly shillings: bigint
  /** Edge of the fill against the fair value: dU + dN / M with the ledger's own 1/M. Edges sum exactly to the edge of the run. */
  readonly edgeUsd54: Usd54
  /** The venue's mid S and the fair value M at that moment. */
  readonly mid: Rate
  readonly fair: Rate
  readonly bps: number
  readonly synthetic: boolean
}

/** A risk rule, or a bound that a spread was moved to (`bid-floor`, `ask-cap`). */
export type Binding = { readonly kind: 'rule' | 'clamp'; readonly name: string }

type Sides = { readonly bidBps: number | null; readonly askBps: number | null }

/** A decision of the core that differs from the previous one, or whose quote was sent. */
export type RecordedDecision = {
  readonly t: Ms
  /** The type of the event that caused it. */
  readonly cause: Event['type']
  readonly mid: Rate
  readonly fair: Rate
  /** The unrounded target of the strategy. Null = a rule overrode the strategy; a null side is off. */
  readonly target: Sides | null
  readonly approved: Sides & { readonly kind: 'quote' | 'deactivate' }
  readonly tradingState: TradingState
  /** Breached rules first, then the reasons of the strategy. */
  readonly because: readonly string[]
  readonly bound: readonly Binding[]
  /** The quote update that was sent; null = none was, for the reason in `unsent`. */
  readonly request: number | null
  readonly unsent: string | null
  readonly plot: Plot
}

/** Why a taker who wanted our price was not filled. */
export type Rejection = 'inventory' | 'dust'

/** Rows of a tape from `first` to before `next`, with mids that are also the fair value; `opening` is the mid before them. */
export type MarkedRows = {
  readonly places: MidPlaces
  readonly opening: number
  readonly t: Float64Array
  readonly mids: Int32Array
  readonly first: number
  readonly next: number
}

/**
 * Receives the events of a backtest in time order. Memory grows with days, rate updates and a bounded number of points,
 * not with the rows of the tape.
 */
export type Recorder = {
  readonly open: (t: Ms, held: Readonly<Amounts>, mid: Rate, fair: Rate) => void
  readonly fill: (fill: RecordedFill) => void
  readonly rejected: (t: Ms, side: Side, why: Rejection) => void
  /** S or M moved; `print` = the venue published a new mid. */
  readonly mark: (t: Ms, mid: Rate, fair: Rate, print: boolean) => void
  /** `mark` for each of these rows that prints a new mid. Absent = `mark` is called instead. */
  readonly marks?: (rows: MarkedRows) => void
  /** The first reference replaces the mid as the fair value; the step between them is not PnL. */
  readonly restate: (t: Ms, mid: Rate, fair: Rate) => void
  /** Reports our live quote from `t` on; a null side is off. `request` = the quote update that set it. */
  readonly quote: (t: Ms, bidBps: number | null, askBps: number | null, request?: number) => void
  /** Reports the rules and clamps that bind from `t` on, replacing those reported before. */
  readonly binding: (t: Ms, bound: readonly Binding[]) => void
  /** Reports what the strategy plots from `t` on. Absent = it is not recorded. */
  readonly plot?: (t: Ms, plot: Plot) => void
  /** Absent = decisions are not recorded. */
  readonly decision?: (decision: RecordedDecision) => void
  /** The best other provider on a side from now on; null = unknown. */
  readonly competition: (t: Ms, side: Side, bps: number | null) => void
  /** Share of a side's takers that the router sends to us from now on: 1, a half in rotation, or 0. */
  readonly routed: (t: Ms, side: Side, share: number) => void
  /** The core's books at each UTC midnight and at the end. Read them without keeping a reference. */
  readonly day: (t: Ms, book: BookState) => void
  readonly end: (t: Ms, book: BookState) => void
}
