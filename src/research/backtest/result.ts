import type { PnlTerm } from '../../core/ledger/book/pnl.ts'
import type { Asset, StableAsset } from '../../base/money/asset.ts'
import type { Side } from '../../base/money/side.ts'
import type { Binding } from './recorder.ts'
import type { ClampedSpread } from './simulation/clamp-count.ts'
import type { FillModelName } from '../../core/models/fill-models.ts'

/** A plain decimal, exact. */
export type DecimalText = string
/** Below this turnover the PnL is mostly that of the holdings, and its ratio to the turnover means nothing. */
const MIN_YIELD_TURNOVER_USD = 100

/** Returns the PnL in bps of the turnover; null if the turnover is too small for a ratio. */
export function yieldBpsOf(pnlUsd: number, turnoverUsd: number): number | null {
  return turnoverUsd < MIN_YIELD_TURNOVER_USD ? null : (1e4 * pnlUsd) / turnoverUsd
}

/** A mean with its 90 % interval; null = too little data. */
export type Interval = readonly [number, number] | null

/** PnL identity in one currency. The terms sum to the total exactly. */
export type PnlTerms = Readonly<Record<PnlTerm | 'total', DecimalText>>

/** Metrics of a run, apart from its PnL (quant.md section 4). Null = too little data, never NaN. */
export type BacktestMetrics = {
  /** Sum |dU| in dollars. */
  readonly turnoverUsd: DecimalText
  /** Edge per dollar traded, 1e4 * sum(dN + dU M) / sum(|dU| M), with a 90 % interval clustered by print. */
  readonly edgeBps: { readonly mean: number | null; readonly ci90: Interval }
  /**
   * Half-spreads per dollar traded: as quoted; `effective` is the edge; `realised` the markout at the next print;
   * `impact` the fair value's move against us until then.
   */
  readonly halfSpreadBps: {
    readonly posted: number | null
    readonly effective: number | null
    readonly realised: number | null
    readonly impact: number | null
  }
  /** The whole PnL in dollars per dollar traded; null below `MIN_YIELD_TURNOVER_USD`. */
  readonly yieldBps: number | null
  /** Per dollar traded. By hours only if the fair value moves within the day. */
  readonly markouts: readonly Markout[]
  /** PnL in dollars minus the gain from holding the opening position; exact, 0 without fills. */
  readonly pnlLessHoldingUsd: DecimalText
  /** The PnL and the PnL less holding per day of the run; null = no time has passed. */
  readonly perDay: { readonly pnlUsd: number | null; readonly lessHoldingUsd: number | null }
  /**
   * Interest on what was held, by `inventory.capitalCost`, in each currency; not in the PnL. Capital that a simulated treasury
   * moved is not counted. Absent = the configuration sets no interest.
   */
  readonly capitalCost?: { readonly tzs: number; readonly usd: number }
  /** Sharpe ratio of the daily PnL less holding, in dollars; first and last days under 12 h are joined to a neighbour. */
  readonly sharpe: {
    /** 0 if nothing was traded. */
    readonly perDay: number | null
    readonly se: number | null
    readonly days: number
    /** Probability that the true ratio is above 0, and above that of the luckiest of all variants tried. */
    readonly probabilistic: number | null
    readonly deflated: number | null
    /** The daily PnL, and less holding, in dollars. */
    readonly daily: DailyMean
    readonly dailyLessHolding: DailyMean
  }
  readonly maxDrawdown: {
    readonly tzs: DecimalText
    /** At each fill and each mark, also as a share of the value at the preceding peak. */
    readonly usd: number
    readonly share: number
    /** 90 % band from a block bootstrap of whole days with the way of the value within them, dollars. */
    readonly ci90Usd: Interval
  }
  /** Time-weighted statistics of q = dollars held minus the target, in dollars. */
  readonly inventory: {
    readonly meanAbs: number | null
    readonly p95: number | null
    /**
     * Share of the time in which a side could not pay the median taker so far, or only the side was quoted that leads
     * further from the target.
     */
    readonly timeAtLimit: number
    /** Days until half of a deviation is gone, from the autoregression of hourly q; null = it does not revert. */
    readonly halfLife: number | null
  }
  /**
   * The three parts of the inventory term, in TZS: the opening position held to the end, the move of the fair value up to
   * the rate update after each fill, and the later move.
   */
  readonly inventoryTzs: { readonly buyAndHold: number; readonly adverse: number; readonly drift: number }
  /** Share of the time each side was quoted. */
  readonly uptime: { readonly bid: number; readonly ask: number }
  /** Share of the time in which each risk rule and clamp bound, largest first; omits those that never did. */
  readonly timeBound: readonly (Binding & { readonly share: number })[]
  /** Share of the time with a known best other provider in which we were within the tolerance of the best. */
  readonly bestShare: { readonly bid: number | null; readonly ask: number | null }
  /** Time-weighted mean age of the mid since its last move, and of our quote since its last change. */
  readonly staleness: { readonly midMs: number | null; readonly quoteMs: number | null }
  /**
   * Observed fills, and the number that a calibration expects at our quotes and the recorded competition, with the
   * exact Poisson interval of the ratio. Takers that the pool could not pay count as expected. Null = no calibration.
   */
  readonly observedToExpected: {
    readonly observed: number
    readonly expected: number
    readonly ratio: number | null
    readonly ci90: Interval
  } | null
  /** The edge by parts of the fills. The parts of each split sum exactly to the edge and the turnover. */
  readonly bySide: Readonly<Record<Side, SplitFigures>>
  /** Split by our dollar token; tokens without trades are omitted. */
  readonly byPair: readonly (SplitFigures & { readonly pair: StableAsset })[]
  /** Split by hour of the day in UTC, 0 to 23. */
  readonly byHour: readonly (SplitFigures & { readonly hour: number })[]
  /** Split by |dU|, including `fromUsd` and excluding `belowUsd`; null = no upper limit. */
  readonly bySize: readonly (SplitFigures & { readonly fromUsd: number; readonly belowUsd: number | null })[]
  readonly fillsBySide: { readonly bid: number; readonly ask: number }
  /** Takers who wanted our price, but the pool could not pay them or their payout rounded to nothing. */
  readonly rejectedFor: { readonly inventory: number; readonly dust: number }
  /** Number of changes of the venue's mid. */
  readonly prints: number
  /** UTC days, including partial ones. */
  readonly days: number
  /** Source of the fair value for edge and markouts: the references on the tape, or the venue's mid. */
  readonly fairValue: 'reference' | 'mid'
  readonly syntheticFills: number
  /** Share of the edge (gains and losses in shillings) from synthetic fills; 0 without such fills. */
  readonly syntheticPnlShare: number
}

/** A mean over days with its standard error; null = fewer than two days. */
type DailyMean = { readonly mean: number; readonly se: number } | null

/** Fills of one kind: their edge against the fair value, and sum |dU|. */
export type SplitFigures = {
  readonly fills: number
  /** Per dollar traded, like the run's edge; null = no such fill. */
  readonly edgeBps: number | null
  readonly edgeUsd: DecimalText
  readonly turnoverUsd: DecimalText
}

export type Markout = {
  /** By default 'next print', '+1 print', '+2 prints', '+5 prints', '5 min', '1 h', '4 h', '1 d'. */
  readonly horizon: string
  readonly bps: number | null
  readonly ci90: Interval
  readonly fills: number
  readonly prints: number
}

/** The output of `mizani backtest --json`. */
export type BacktestResult = BacktestMetrics & {
  readonly strategy: string
  readonly params: unknown
  readonly fillModel: FillModelName
  readonly seed: number
  readonly from: string
  readonly to: string
  /** Rows of the tape that were read. */
  readonly events: number
  readonly fills: number
  readonly rejected: number
  readonly elapsedMs: number
  /** Rows per second of the run itself; reading the tape takes `readMs`. */
  readonly eventsPerSecond: number
  readonly readMs: number
  readonly pnl: { readonly tzs: PnlTerms; readonly usd: PnlTerms }
  readonly identityResidual: { readonly tzs: DecimalText; readonly usd: DecimalText }
  readonly opening: Readonly<Record<Asset, DecimalText>>
  readonly finalBalances: Readonly<Record<Asset, DecimalText>>
  /** Source of the fair value; null = the tape has no references. */
  readonly fairValueSource: string | null
  readonly quoteUpdates: number
  /** Mids over a movement bound, each adopted after `backtest.acceptMidAfterMs` in place of a person. */
  readonly midsAccepted: number
  /** Targets outside the venue's 10 to 500 bps, by side and bound; the bound was quoted instead. */
  readonly clamps: readonly (Omit<ClampedSpread, 'firstAt'> & { readonly firstAt: string })[]
  /**
   * Share of the time in which a default or a simpler model replaced the strategy's own model, when it first did, and
   * why. Null = never.
   */
  readonly fallback: { readonly share: number; readonly firstAt: string; readonly why: string } | null
  /** When and why the strategy was suspended, and after how many fills: the safe quote was live from then on. Null = never. */
  readonly suspension: { readonly since: string; readonly why: string; readonly fillsBefore: number } | null
  /** Share of the fills that were not on the tape. */
  readonly syntheticShare: number
  readonly variantsTried: number
  /** sha-256 over every decision, fill and final balance. */
  readonly digest: string
  /** Limitations that a reader must know before trusting the figures. */
  readonly warnings: readonly string[]
}

/** Returns why a run measured nothing of its strategy: it was suspended before its first fill. Null = it was not. */
export function unmeasuredWhy({ suspension }: Pick<BacktestResult, 'suspension'>): string | null {
  if (suspension === null || suspension.fillsBefore > 0) return null
  return `the strategy was suspended before its first fill, at ${suspension.since}: ${suspension.why}`
}
