import type { Ms } from '../../../base/time.ts'
import {
  type Amounts,
  type Asset,
  type BookAmount,
  isStable,
  type StableAsset,
} from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Side, TakerTags } from '../../../base/money/side.ts'

/**
 * One line of a tape: an observation or action at `t`. Amounts are book amounts. Rows of equal time are ordered by kind
 * as in `ROW_KINDS`, then by text, so a tape has one order however it was assembled.
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

/** The order of rows of equal time: first the venue's data, then our holdings and quote, then fills. */
export const ROW_KINDS = [
  'rate',
  'reference',
  'competition',
  'balances',
  'quote',
  'fill',
  'decision',
] as const satisfies readonly RowKind[]

/** The mid that the venue showed at `t`, even if unchanged. */
export type RateRow = {
  readonly type: 'rate'
  readonly t: Ms
  readonly mid: Rate
  /** Null if the venue does not date its mid. */
  readonly rateUpdatedAt: Ms | null
  /** Null if the venue does not report it. */
  readonly quotable: boolean | null
}

/** A fair value from another source: a bank's board, a feed. */
export type ReferenceRow = {
  readonly type: 'reference'
  readonly t: Ms
  readonly source: string
  readonly mid: Rate
}

/** The spreads of the provider that the venue would pick for a swap of `amount`; null = no provider, or not probed. */
export type CompetitionRow = {
  readonly type: 'competition'
  readonly t: Ms
  readonly from: Asset
  readonly to: Asset
  /** In units of `from`. */
  readonly amount: BookAmount
  readonly bidBps: number | null
  readonly askBps: number | null
  /** Whether these spreads are our own quote; absent = unknown, for example if a rival may quote the same. */
  readonly own?: boolean
}

/** Our balances at the venue. Assets that it did not mention are absent. */
export type BalancesRow = {
  readonly type: 'balances'
  readonly t: Ms
  readonly amounts: Partial<Amounts>
  readonly source: 'pool' | 'wallet' | null
}

/** Our own quote, from when the venue confirmed it. */
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

/** Our fill, at the venue's time, or when first seen if the venue does not date it. */
export type TapeFill = {
  readonly type: 'fill'
  readonly t: Ms
  readonly id: string
  readonly from: Asset
  readonly to: Asset
  /** What the taker paid, in `from`. */
  readonly amountIn: BookAmount
  /** What the taker received, in `to`. */
  readonly amountOut: BookAmount
  /** Protocol fee in `to`; null if the row did not have it. */
  readonly protocolFee: BookAmount | null
  /** The venue's own figure of our spread income, unparsed decimal text; information only. */
  readonly feesEarned: string | null
  readonly txHash: string | null
  /** When we first saw it; null = unknown. */
  readonly seenAt: Ms | null
  /** Absent = the venue named nothing. */
  readonly taker?: TakerTags
}

/** A decision of the core and its reasons: for display and `parity`, never an input of a backtest. */
export type DecisionRow = {
  readonly type: 'decision'
  readonly t: Ms
  readonly state: 'ACTIVE' | 'REDUCING' | 'HALTED'
  /** Approved half-spreads; null = that side off. */
  readonly bidBps: number | null
  readonly askBps: number | null
  readonly because: readonly string[]
}

/** A field of a kind of row: in the text form, and as a Parquet column of the same name. */
export type RowField = {
  readonly name: string
  /**
   * `time` is ISO 8601 in text and a UTC timestamp of milliseconds in Parquet; `decimal` is the exact text of a number
   * in both, to avoid rounding; `bps` is a whole number.
   */
  readonly holds: 'time' | 'decimal' | 'text' | 'texts' | 'bps' | 'flag'
  readonly optional: boolean
}

const required = (holds: RowField['holds'], ...names: readonly string[]): readonly RowField[] =>
  names.map((name) => ({ name, holds, optional: false }))

const optional = (holds: RowField['holds'], ...names: readonly string[]): readonly RowField[] =>
  names.map((name) => ({ name, holds, optional: true }))

/** The fields of every kind besides `t`, in canonical order. Docs: docs/tape-format.md. */
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
    ...optional('text', 'takerWallet', 'takerSource', 'takerPartner'),
  ],
  decision: [
    ...required('text', 'state'),
    ...optional('bps', 'bidBps', 'askBps'),
    ...required('texts', 'because'),
  ],
}

/** Returns the side of our quote that a taker's swap meets, and its dollars; null unless it is dollars against shillings. */
export function sideOfSwap(
  from: Asset,
  to: Asset,
): { readonly side: Side; readonly stable: StableAsset } | null {
  if (isStable(from) && !isStable(to)) return { side: 'ask', stable: from }
  if (!isStable(from) && isStable(to)) return { side: 'bid', stable: to }
  return null
}
