import type { Ms } from '../../../base/time.ts'
import {
  type Amounts,
  type Asset,
  type BookAmount,
  isStable,
  type StableAsset,
} from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'

/**
 * One line of a tape: what was seen or done at `t`. Amounts are book amounts.
 * Rows of equal time are ordered by kind as in `ROW_KINDS`, within a kind by their text: so a tape has one
 * order however it was put together.
 */
export type TapeRow =
  | RateRow
  | ReferenceRow
  | CompetitionRow
  | BalancesRow
  | QuoteRow
  | TapeFill
  | DecisionRow

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

/** The spreads of the provider that the venue would pick for a swap of `amount`; null = no one, or not asked. */
export type CompetitionRow = {
  readonly type: 'competition'
  readonly t: Ms
  readonly from: Asset
  readonly to: Asset
  /** Of `from`. */
  readonly amount: BookAmount
  readonly bidBps: number | null
  readonly askBps: number | null
  /** Whether these spreads are our own quote; absent = not known, as where a rival may quote the same. */
  readonly own?: boolean
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
export type TapeFill = {
  readonly type: 'fill'
  readonly t: Ms
  readonly id: string
  readonly from: Asset
  readonly to: Asset
  /** What the taker paid, of `from`. */
  readonly amountIn: BookAmount
  /** What the taker got, of `to`. */
  readonly amountOut: BookAmount
  /** Protocol fee, of `to`; null where the row did not carry it. */
  readonly protocolFee: BookAmount | null
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

/** One field of a kind of row: of the text form and, under the same name, a column of its Parquet files. */
export type RowField = {
  readonly name: string
  /**
   * `time` is ISO 8601 in text and a UTC timestamp of milliseconds in Parquet; `decimal` is the exact text of
   * a number in both, so that nothing is rounded; `bps` is a whole number.
   */
  readonly holds: 'time' | 'decimal' | 'text' | 'texts' | 'bps' | 'flag'
  readonly optional: boolean
}

const required = (holds: RowField['holds'], ...names: readonly string[]): readonly RowField[] =>
  names.map((name) => ({ name, holds, optional: false }))

const optional = (holds: RowField['holds'], ...names: readonly string[]): readonly RowField[] =>
  names.map((name) => ({ name, holds, optional: true }))

/** The fields of every kind beside `t`, in their canonical order. Docs: docs/tapes.md. */
export const ROW_SHAPE: Readonly<Record<RowKind, readonly RowField[]>> = {
  rate: [
    ...required('decimal', 'midRateTZS'),
    ...optional('time', 'rateUpdatedAt'),
    ...optional('flag', 'quotable'),
  ],
  reference: [...required('text', 'source'), ...required('decimal', 'midTZS')],
  competition: [
    ...required('text', 'from', 'to'),
    ...required('decimal', 'amount'),
    ...optional('bps', 'bidBps', 'askBps'),
    ...optional('flag', 'own'),
  ],
  balances: [...optional('decimal', 'ntzs', 'usdc', 'usdt', 'usdtBnb'), ...optional('text', 'source')],
  quote: [
    ...required('bps', 'bidBps', 'askBps'),
    ...required('flag', 'quoteBid', 'quoteAsk'),
    ...optional('texts', 'quotePairs'),
  ],
  fill: [
    ...required('text', 'id', 'fromToken', 'toToken'),
    ...required('decimal', 'amountIn', 'amountOut'),
    ...optional('decimal', 'feesEarned', 'protocolFee'),
    ...optional('text', 'txHash'),
    ...optional('time', 'seenAt'),
  ],
  decision: [
    ...required('text', 'state'),
    ...optional('bps', 'bidBps', 'askBps'),
    ...required('texts', 'because'),
  ],
}

/** Which side of our quote a taker's swap meets, and its dollars; null where it is not dollars against shillings. */
export function sideOfSwap(
  from: Asset,
  to: Asset,
): { readonly side: Side; readonly stable: StableAsset } | null {
  if (isStable(from) && !isStable(to)) return { side: 'ask', stable: from }
  if (!isStable(from) && isStable(to)) return { side: 'bid', stable: to }
  return null
}
