import type { Ms } from '../base/time.ts'
import { formatAmount } from '../money/amount.ts'
import type { Asset } from '../money/asset.ts'
import { formatRate } from '../money/rate.ts'
import type { BalancesRow, CompetitionRow, FillRow, TapeRow } from './tape-row.ts'

/** What a field of a row holds: see `RowField`. Times are milliseconds, decimals are text. */
export type FieldValue = Ms | string | boolean | null | readonly string[]

/** A row as named fields, `ROW_SHAPE` without `t`, in canonical order. What is not known is null. */
export function flattenRow(row: TapeRow): Readonly<Record<string, FieldValue>> {
  switch (row.type) {
    case 'rate':
      return {
        midRateTZS: formatRate(row.mid),
        rateUpdatedAt: row.rateUpdatedAt,
        quotable: row.quotable,
      }
    case 'reference':
      return { source: row.source, midTZS: formatRate(row.mid) }
    case 'competition':
      return flattenCompetition(row)
    case 'balances':
      return flattenBalances(row)
    case 'quote':
      return {
        bidBps: row.bidBps,
        askBps: row.askBps,
        quoteBid: row.quoteBid,
        quoteAsk: row.quoteAsk,
        quotePairs: row.quotePairs,
      }
    case 'fill':
      return flattenFill(row)
    case 'decision':
      return { state: row.state, bidBps: row.bidBps, askBps: row.askBps, because: row.because }
  }
}

function flattenCompetition(row: CompetitionRow): Readonly<Record<string, FieldValue>> {
  return {
    from: row.from,
    to: row.to,
    amount: formatAmount(row.amount, row.from),
    bidBps: row.bidBps,
    askBps: row.askBps,
  }
}

function flattenBalances({ amounts, source }: BalancesRow): Readonly<Record<string, FieldValue>> {
  const text = (asset: Asset): string | null => {
    const amount = amounts[asset]
    return amount === undefined ? null : formatAmount(amount, asset)
  }
  return { ntzs: text('NTZS'), usdc: text('USDC'), usdt: text('USDT'), usdtBnb: text('USDT.bnb'), source }
}

function flattenFill(row: FillRow): Readonly<Record<string, FieldValue>> {
  return {
    id: row.id,
    fromToken: row.from,
    toToken: row.to,
    amountIn: formatAmount(row.amountIn, row.from),
    amountOut: formatAmount(row.amountOut, row.to),
    feesEarned: row.feesEarned,
    protocolFee: row.protocolFee === null ? null : formatAmount(row.protocolFee, row.to),
    txHash: row.txHash,
    seenAt: row.seenAt,
  }
}
