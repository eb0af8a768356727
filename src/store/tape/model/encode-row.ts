import type { Ms } from '../../../base/time.ts'
import { type Asset, formatAmount } from '../../../base/money/asset.ts'
import { formatRate } from '../../../base/money/rate.ts'
import {
  type BalancesRow,
  type CompetitionRow,
  type TapeFill,
  ROW_KINDS,
  ROW_SHAPE,
  type TapeRow,
} from './row.ts'

/** The value of a field: see `RowField`. Times are milliseconds, decimals are text. */
type FieldValue = Ms | string | boolean | null | readonly string[]

/** Returns the named fields of a row, `ROW_SHAPE` without `t`, in canonical order; null = unknown. */
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
    amount: formatAmount(row.amount),
    bidBps: row.bidBps,
    askBps: row.askBps,
    own: row.own ?? null,
  }
}

function flattenBalances({ amounts, source }: BalancesRow): Readonly<Record<string, FieldValue>> {
  const text = (asset: Asset): string | null => {
    const amount = amounts[asset]
    return amount === undefined ? null : formatAmount(amount)
  }
  return { ntzs: text('NTZS'), usdc: text('USDC'), usdt: text('USDT'), usdtBnb: text('USDT.bnb'), source }
}

function flattenFill(row: TapeFill): Readonly<Record<string, FieldValue>> {
  return {
    id: row.id,
    fromToken: row.from,
    toToken: row.to,
    amountIn: formatAmount(row.amountIn),
    amountOut: formatAmount(row.amountOut),
    feesEarned: row.feesEarned,
    protocolFee: row.protocolFee === null ? null : formatAmount(row.protocolFee),
    txHash: row.txHash,
    seenAt: row.seenAt,
    takerWallet: row.taker?.wallet ?? null,
    takerSource: row.taker?.source ?? null,
    takerPartner: row.taker?.partner ?? null,
  }
}

/**
 * Returns a row as one line of the text form (docs/tape-format.md) without the line end. Canonical: fields in documented
 * order, shortest exact decimals, times with milliseconds, null optional fields omitted.
 */
export function encodeRow(row: TapeRow): string {
  const values = flattenRow(row)
  const line: Record<string, unknown> = { t: new Date(row.t).toISOString(), type: row.type }
  for (const { name, holds } of ROW_SHAPE[row.type]) {
    const value = values[name] ?? null
    if (value === null) continue
    line[name] = holds === 'time' && typeof value === 'number' ? new Date(value).toISOString() : value
  }
  return JSON.stringify(line)
}

/**
 * Compares rows in tape order: by time, then by kind as in `ROW_KINDS`, then by canonical text in UTF-16 units. Only
 * equal rows compare as 0.
 */
export function compareRows(a: TapeRow, b: TapeRow): number {
  if (a.t !== b.t) return a.t - b.t
  if (a.type !== b.type) return ROW_KINDS.indexOf(a.type) - ROW_KINDS.indexOf(b.type)
  // A fill's text begins with its id, which nearly always decides.
  if (a.type === 'fill' && b.type === 'fill' && a.id !== b.id) {
    return compareTexts(JSON.stringify(a.id), JSON.stringify(b.id))
  }
  return compareTexts(encodeRow(a), encodeRow(b))
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Returns rows in tape order without those older than an earlier row; calls `tell` with each dropped row and the time
 * it violates.
 */
export function orderRows<Row extends TapeRow>(
  rows: readonly Row[],
  tell: (row: Row, last: Ms) => void,
): Row[] {
  let last = Number.NEGATIVE_INFINITY
  const kept = rows.filter((row) => {
    if (row.t < last) {
      tell(row, last)
      return false
    }
    last = row.t
    return true
  })
  return kept.sort(compareRows)
}
