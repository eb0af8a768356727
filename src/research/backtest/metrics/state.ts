import { HOUR_MS, type Ms } from '../../../base/time.ts'
import type { Pnl } from '../../../core/ledger/book/pnl.ts'
import type { CapitalCost } from '../../../core/strategy/context.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { TakerLaw } from '../fill-models/drawn-takers.ts'
import { createClusterSums, createTimeHistogram } from './bounded/sums.ts'
import { createDayRows, createReach } from './daily.ts'
import { createEvenSamples, createFillSample, createMedianSize } from './bounded/samples.ts'
import { createSpreadExposure } from './bounded/spread-exposure.ts'
import { createExtremes, createStepSeries } from './bounded/series.ts'
import { createPrintMarkouts, createMinuteMarkouts } from './markouts.ts'
import { DEFAULT_HORIZONS, type MarkoutHorizons } from '../../../core/models/markouts/horizons.ts'
import { createBindingTimes } from './bounded/binding-times.ts'
import { createFillSplit } from './split.ts'

export type RecorderSettings = {
  /** Seed of the bootstraps. */
  readonly seed: number
  /** Share of the value to hold in dollars, 0..1. */
  readonly target: number
  /** Routing tolerance in bps. */
  readonly toleranceBps: number
  /** Intensity for the expected number of fills; null = no calibration. */
  readonly law: TakerLaw['intensity'] | null
  /** Variants tried, including this one; deflates the Sharpe ratio. Absent = 1. */
  readonly variantsTried?: number
  /** Horizons of the markouts; absent = the default horizons. */
  readonly horizons?: MarkoutHorizons
  /** Interest a year on what is held; absent = none. */
  readonly capitalCost?: CapitalCost
}

/** The change when the first reference replaced the mid as fair value: in the value in dollars, and in 1/M. */
type Restated = {
  readonly at: Ms
  readonly before: number
  readonly usd: number
  readonly inverse: number
}

/** The state of a recording; constant in the run's length except for one row per day. */
export type RecorderState = ReturnType<typeof createRecorderState>

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

export function createRecorderState(settings: RecorderSettings) {
  const state = {
    settings,
    phase: 'before' as 'before' | 'open' | 'ended',
    openedAt: Number.NaN,
    t: Number.NaN,
    openingDollars: 0,
    openingTzs: 0,
    openingFair: Number.NaN,
    /** The opening's shillings in base units, and the ledger's 1/M there, for the exact gain from holding them. */
    openingShillings: 0n,
    openingInverse: 0n,
    /** Null = the mid is still the fair value. */
    restated: null as Restated | null,
    midRate: 0n as Rate,
    fairRate: 0n as Rate,
    mid: Number.NaN,
    fair: Number.NaN,
    /** Whether S and M ever differed, and how often M moved without a print. */
    hasFair: false,
    moves: 0,
    /** Half-spreads in bps; NaN = off or unknown. */
    bid: Number.NaN,
    ask: Number.NaN,
    otherBid: Number.NaN,
    otherAsk: Number.NaN,
    quotedAt: Number.NaN,
    printedAt: Number.NaN,
    prints: 0,
    /** The mid changed at `t`; fills are revalued once all rows of `t` were received. */
    hasUpdate: false,
    atLimit: false,
    rejectedInventory: 0,
    rejectedDust: 0,
    /** The exact final figures; null = the run has not ended. */
    final: null as Pnl | null,
    ...createTallies(),
    ...createWatches(settings),
    steps: createStepSeries(Object.keys(STEP).length, (rows, at): void => readStep(state, rows, at)),
  }
  return state
}

function createTallies() {
  return {
    /** Our position and its value, for statistics; exact figures come from the book. */
    held: {
      dollars: 0,
      tzs: 0,
      /** In dollars; q = dollars held minus the target. */
      value: 0,
      q: 0,
      /** Highest value so far, the deepest fall below it, and the peak before that fall. */
      peak: 0,
      worstFall: 0,
      fellFrom: 0,
    },
    /** Milliseconds spent in each state. */
    time: {
      bid: 0,
      ask: 0,
      /** The best other provider was known, and we were within the tolerance of the best. */
      bidKnown: 0,
      askKnown: 0,
      bidBest: 0,
      askBest: 0,
      atLimit: 0,
      /** Time integral of the age of the mid and of our quote. */
      midAge: 0,
      quoteAge: 0,
      /** Time integral of what is held. */
      dollars: 0,
      tzs: 0,
    },
    /** Fills that the law has expected so far, and further expected fills per millisecond. */
    expected: { fills: 0, perMs: 0 },
    /** Share of a side's takers that the router sends to us. */
    routed: { bid: 0, ask: 0 },
    fills: {
      turnover18: 0n,
      bid: 0,
      ask: 0,
      synthetic: 0,
      /** Sums of |dU| M, of |dU| M times the spread capture, of |edge| and of its synthetic part. */
      weight: 0,
      postedWeight: 0,
      edge: 0,
      syntheticEdge: 0,
    },
  }
}

function createWatches({ horizons = DEFAULT_HORIZONS, law }: RecorderSettings) {
  return {
    edge: createClusterSums(),
    split: createFillSplit(),
    binding: createBindingTimes(),
    printMarkouts: createPrintMarkouts(horizons.afterUpdates),
    timedMarkouts: createMinuteMarkouts(horizons.afterMs),
    size: createMedianSize(),
    days: createDayRows(),
    reach: createReach(),
    equity: createExtremes(),
    falls: createExtremes(),
    plots: new Map<string, ReturnType<typeof createExtremes>>(),
    sample: createFillSample(),
    /** Null without an intensity to compare with. */
    spreads: law === null ? null : createSpreadExposure(),
    /** Created at the opening. */
    deviation: createTimeHistogram(1),
    hourly: createEvenSamples(0, HOUR_MS),
  }
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
