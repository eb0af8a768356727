import { HOUR_MS, type Ms } from '../../../base/time.ts'
import type { Pnl } from '../../../core/ledger/book/pnl.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import type { TakerLaw } from '../fill-models/drawn-takers.ts'
import {
  type ClusterSums,
  createClusterSums,
  createTimeHistogram,
  type TimeHistogram,
} from './bounded/sums.ts'
import { createDayRows, type DayRows } from './daily.ts'
import {
  createEvenSamples,
  createFillSample,
  createMedianSize,
  type EvenSamples,
  type FillSample,
  type MedianSize,
} from './bounded/samples.ts'
import { createSpreadExposure, type SpreadExposure } from './bounded/spread-exposure.ts'
import { createExtremes, createStepSeries, type Extremes, type StepSeries } from './bounded/series.ts'
import {
  createPrintMarkouts,
  createMinuteMarkouts,
  type PrintMarkouts,
  type TimedMarkouts,
} from './markouts.ts'
import { DEFAULT_HORIZONS, type MarkoutHorizons } from '../../../core/models/markouts/horizons.ts'

import { type BindingTimes, createBindingTimes } from './bounded/binding-times.ts'
import { createFillSplit, type FillSplit } from './split.ts'

export type RecorderSettings = {
  /** Of the bootstraps. */
  readonly seed: number
  /** Share of the value to hold in dollars, 0..1. */
  readonly target: number
  /** Within so many bps of the best is as good as the best. */
  readonly toleranceBps: number
  /** What fills are expected by; null = no one knows of takers. */
  readonly law: TakerLaw['intensity'] | null
  /** How many variants were tried, this one included: what the Sharpe ratio is deflated by; absent = 1. */
  readonly variantsTried?: number
  /** When fills are valued again; absent = the default horizons. */
  readonly horizons?: MarkoutHorizons
}

/** Our own position and its worth, for statistics: what must be exact is read from the book. */
type HeldState = {
  dollars: number
  tzs: number
  /** In dollars; q = dollars held less the target. */
  value: number
  q: number
  /** Highest value so far, the deepest fall below it, and the peak that it fell from. */
  peak: number
  worstFall: number
  fellFrom: number
}

/** Milliseconds in which something was so. */
type TimeState = {
  bid: number
  ask: number
  /** The best other provider was known, and we were within the tolerance of the best. */
  bidKnown: number
  askKnown: number
  bidBest: number
  askBest: number
  atLimit: number
  /** Age times time of the mid and of our quote. */
  midAge: number
  quoteAge: number
}

/** Fills that the law expected so far, and how many more it does a millisecond. */
type ExpectedState = { fills: number; perMs: number }

type FillState = {
  turnover18: bigint
  bid: number
  ask: number
  synthetic: number
  /** Sum of |dU| M, of |dU| M times the spread capture, of |edge| and of the synthetic part of it. */
  weight: number
  postedWeight: number
  edge: number
  syntheticEdge: number
}

/** Everything a trail knows. Flat in the length of the run, but for one row a day. */
export type RecorderState = {
  readonly settings: RecorderSettings
  phase: 'before' | 'open' | 'ended'
  openedAt: Ms
  t: Ms
  openingDollars: number
  openingTzs: number
  openingFair: number
  /** The shillings of the opening in base units, and the ledger's 1/M there: what holding them gains is exact. */
  openingShillings: bigint
  openingInverse: bigint
  /** The first reference took over from the mid: what that changed of the worth in dollars, and of 1/M; null = it did not. */
  restated: {
    readonly at: Ms
    readonly before: number
    readonly usd: number
    readonly inverse: number
  } | null
  midRate: Rate
  fairRate: Rate
  mid: number
  fair: number
  /** S and M were apart once; how often M moved without a print. */
  hasFair: boolean
  moves: number
  /** Half-spreads in bps; NaN = off, or not known. */
  bid: number
  ask: number
  otherBid: number
  otherAsk: number
  quotedAt: Ms
  printedAt: Ms
  prints: number
  /** The mid was published anew at `t`; what fills are worth then is known once all rows of `t` were received. */
  hasUpdate: boolean
  atLimit: boolean
  rejectedInventory: number
  rejectedDust: number
  /** The exact figures of the end; null = it has not ended. */
  final: Pnl | null
  readonly held: HeldState
  readonly time: TimeState
  readonly expected: ExpectedState
  /** Share of a side's takers whom the router sends to us. */
  readonly routed: Record<Side, number>
  readonly fills: FillState
  readonly edge: ClusterSums
  readonly split: FillSplit
  readonly binding: BindingTimes
  readonly printMarkouts: PrintMarkouts
  readonly timedMarkouts: TimedMarkouts
  readonly size: MedianSize
  readonly days: DayRows
  readonly equity: Extremes
  readonly falls: Extremes
  readonly steps: StepSeries
  readonly sample: FillSample
  /** Null without a law: there is nothing to hold it against. */
  readonly spreads: SpreadExposure | null
  /** Made at the opening. */
  deviation: TimeHistogram
  hourly: EvenSamples
}

/** The columns of `steps`. */
export const STEP = {
  mid: 0,
  fair: 1,
  bid: 2,
  ask: 3,
  otherBid: 4,
  otherAsk: 5,
  usdShare: 6,
} as const

export function createRecorderState(settings: RecorderSettings): RecorderState {
  const { afterMs, afterUpdates } = settings.horizons ?? DEFAULT_HORIZONS
  const state: RecorderState = {
    settings,
    phase: 'before',
    openedAt: Number.NaN,
    t: Number.NaN,
    openingDollars: 0,
    openingTzs: 0,
    openingFair: Number.NaN,
    openingShillings: 0n,
    openingInverse: 0n,
    restated: null,
    midRate: 0n,
    fairRate: 0n,
    mid: Number.NaN,
    fair: Number.NaN,
    hasFair: false,
    moves: 0,
    bid: Number.NaN,
    ask: Number.NaN,
    otherBid: Number.NaN,
    otherAsk: Number.NaN,
    quotedAt: Number.NaN,
    printedAt: Number.NaN,
    prints: 0,
    hasUpdate: false,
    atLimit: false,
    rejectedInventory: 0,
    rejectedDust: 0,
    final: null,
    held: noHoldings(),
    time: noTime(),
    expected: { fills: 0, perMs: 0 },
    routed: { bid: 0, ask: 0 },
    fills: noFills(),
    edge: createClusterSums(),
    split: createFillSplit(),
    binding: createBindingTimes(),
    printMarkouts: createPrintMarkouts(afterUpdates),
    timedMarkouts: createMinuteMarkouts(afterMs),
    size: createMedianSize(),
    days: createDayRows(),
    equity: createExtremes(),
    falls: createExtremes(),
    steps: createStepSeries(Object.keys(STEP).length, (rows, at) => readStep(state, rows, at)),
    sample: createFillSample(),
    spreads: settings.law === null ? null : createSpreadExposure(),
    deviation: createTimeHistogram(1),
    hourly: createEvenSamples(0, HOUR_MS),
  }
  return state
}

function readStep(state: RecorderState, rows: Float64Array, at: number): void {
  rows[at + STEP.mid] = state.mid
  rows[at + STEP.fair] = state.fair
  rows[at + STEP.bid] = state.bid
  rows[at + STEP.ask] = state.ask
  rows[at + STEP.otherBid] = state.otherBid
  rows[at + STEP.otherAsk] = state.otherAsk
  rows[at + STEP.usdShare] = state.held.value > 0 ? state.held.dollars / state.held.value : Number.NaN
}

function noHoldings(): HeldState {
  return {
    dollars: 0,
    tzs: 0,
    value: 0,
    q: 0,
    peak: 0,
    worstFall: 0,
    fellFrom: 0,
  }
}

function noTime(): TimeState {
  return {
    bid: 0,
    ask: 0,
    bidKnown: 0,
    askKnown: 0,
    bidBest: 0,
    askBest: 0,
    atLimit: 0,
    midAge: 0,
    quoteAge: 0,
  }
}

function noFills(): FillState {
  return {
    turnover18: 0n,
    bid: 0,
    ask: 0,
    synthetic: 0,
    weight: 0,
    postedWeight: 0,
    edge: 0,
    syntheticEdge: 0,
  }
}
