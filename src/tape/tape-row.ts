import type { Ms } from '../base/time.ts'
import type { Amounts, Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'

/**
 * One line of a tape: what was seen or done at `t`. Amounts are base units of their asset.
 * Rows of equal time are ordered by kind as in `ROW_KINDS`, within a kind by their text: so a tape has one
 * order however it was put together.
 */
export type TapeRow = RateRow | ReferenceRow | CompetitionRow | BalancesRow | QuoteRow | FillRow | DecisionRow

export type RowKind = TapeRow['type']

/** The order of rows of equal time: first what the venue shows, then what we hold and quote, then who traded. */
export const ROW_KINDS = [
  'rate',
  'reference',
  'competition',
  'balances',
  'quote',
  'fill',
  'decision',
] as const satisfies readonly RowKind[]

/** The venue's mid as it was shown at `t`, also when it had not changed. */
export type RateRow = {
  readonly type: 'rate'
  readonly t: Ms
  readonly mid: Rate
  /** Null where the venue does not date its mid. */
  readonly rateUpdatedAt: Ms | null
  /** Null where the venue does not say. */
  readonly quotable: boolean | null
}

/** A fair value from elsewhere: a bank's board, a feed. */
export type ReferenceRow = {
  readonly type: 'reference'
  readonly t: Ms
  readonly source: string
  readonly mid: Rate
}

/** The spreads of the provider that the venue would pick for a swap of `amount`; null = nobody, or not asked. */
export type CompetitionRow = {
  readonly type: 'competition'
  readonly t: Ms
  readonly from: Asset
  readonly to: Asset
  /** Base units of `from`. */
  readonly amount: bigint
  readonly bidBps: number | null
  readonly askBps: number | null
}

/** What the venue says is ours. Assets it did not mention are absent. */
export type BalancesRow = {
  readonly type: 'balances'
  readonly t: Ms
  readonly amounts: Partial<Amounts>
  readonly source: 'pool' | 'wallet' | null
}

/** Our own quote, from the moment the venue confirmed it. */
export type QuoteRow = {
  readonly type: 'quote'
  readonly t: Ms
  readonly bidBps: number
  readonly askBps: number
  readonly quoteBid: boolean
  readonly quoteAsk: boolean
  /** Null = all pairs. */
  readonly quotePairs: readonly string[] | null
}

/** A fill of ours, at the time the venue dates it; where it does not, when it was first seen. */
export type FillRow = {
  readonly type: 'fill'
  readonly t: Ms
  readonly id: string
  readonly from: Asset
  readonly to: Asset
  /** What the taker paid, base units of `from`. */
  readonly amountIn: bigint
  /** What the taker got, base units of `to`. */
  readonly amountOut: bigint
  /** Protocol fee, base units of `to`; null where the row did not carry it. */
  readonly protocolFee: bigint | null
  /** The venue's own figure of our spread income, decimal text as it came; information only. */
  readonly feesEarned: string | null
  readonly txHash: string | null
  /** When we first saw it; null = not known. */
  readonly seenAt: Ms | null
}

/** What the core decided and why: for people and for `parity`, never an input of a backtest. */
export type DecisionRow = {
  readonly type: 'decision'
  readonly t: Ms
  readonly state: 'ACTIVE' | 'REDUCING' | 'HALTED'
  /** Approved half-spreads; null = that side off. */
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly because: readonly string[]
}
