import type { RowKind } from './tape-row.ts'

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
