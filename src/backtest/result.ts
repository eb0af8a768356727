import type { Asset } from '../money/asset.ts'
import type { FillModelName } from './fill-model.ts'

/** A plain decimal, exact. */
export type DecimalText = string
/** A mean with its 90 % interval; null where there is too little to say it. */
export type Interval = readonly [number, number] | null

/** One currency's identity: the terms add up to the total exactly. */
export type PnlTerms = {
  readonly postedSpread: DecimalText
  readonly staleMid: DecimalText
  readonly inventory: DecimalText
  readonly costs: DecimalText
  readonly unexplained: DecimalText
  readonly total: DecimalText
}

/** What is measured over a run beside its money (quant.md section 4). Null = too little data, never NaN. */
export type Metrics = {
  /** Sum |dU|, dollars. */
  readonly turnoverUsd: DecimalText
  /** Edge per dollar traded, 1e4 * sum(dN + dU M) / sum(|dU| M), with a 90 % interval clustered by print. */
  readonly edgeBps: { readonly mean: number | null; readonly ci90: Interval }
  readonly markouts: readonly Markout[]
  /** Of the daily PnL in dollars per dollar of opening value. */
  readonly sharpe: {
    readonly perDay: number | null
    readonly se: number | null
    readonly days: number
    /** Probability that the true one is above 0. */
    readonly probabilistic: number | null
  }
  readonly maxDrawdown: {
    readonly tzs: DecimalText
    readonly usd: number
    readonly share: number
    /** 90 % band from a block bootstrap of the daily PnL, dollars. */
    readonly ci90Usd: Interval
  }
  /** Of q = dollars held less the target, in dollars, weighted by time. */
  readonly inventory: {
    readonly meanAbs: number | null
    readonly p95: number | null
    /** Share of the time in which a side was off for inventory or could not pay a median taker. */
    readonly timeAtLimit: number
    /** Days until half of a deviation is gone, from the autoregression of daily q; null = it does not revert. */
    readonly halfLife: number | null
  }
  /** Share of the time each side was quoted. */
  readonly uptime: { readonly bid: number; readonly ask: number }
  /** Share of the known time within the tolerance of the best. */
  readonly bestShare: { readonly bid: number | null; readonly ask: number | null }
  readonly fillsBySide: { readonly bid: number; readonly ask: number }
  readonly prints: number
  readonly days: number
  readonly syntheticFills: number
  /** Share of the edge, in shillings, that synthetic fills brought; 0 where there are none. */
  readonly syntheticPnlShare: number
}

export type Markout = {
  /** 'next print', '+1 print', '+2 prints', '+5 prints', '1 h', '4 h'. */
  readonly horizon: string
  readonly bps: number | null
  readonly ci90: Interval
  readonly fills: number
  readonly prints: number
}

/** What `mizani backtest --json` prints. */
export type BacktestResult = Metrics & {
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
  /** Rows a second of the run itself; the time spent on reading the tape is `readMs`. */
  readonly eventsPerSecond: number
  readonly readMs: number
  readonly pnl: { readonly tzs: PnlTerms; readonly usd: PnlTerms }
  readonly identityResidual: { readonly tzs: DecimalText; readonly usd: DecimalText }
  readonly opening: Readonly<Record<Asset, DecimalText>>
  readonly finalBalances: Readonly<Record<Asset, DecimalText>>
  readonly quoteUpdates: number
  /** Share of the fills that were not on the tape. */
  readonly syntheticShare: number
  readonly variantsTried: number
  /** sha-256 over every decision, fill and final balance. */
  readonly digest: string
  /** What a reader must know before believing any of this. */
  readonly warnings: readonly string[]
}
