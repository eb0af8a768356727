import type { Row } from '../connection/connection.ts'
import type { ExportKind, ExportTable } from './kinds.ts'
import { formatAmount } from '../../base/money/asset.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { formatRate } from '../../base/money/rate.ts'
import { EXPORT_ORDERS } from './orders.ts'
import { EXPORT_TREASURY } from './treasury.ts'

type Value = Row[string]

const USD_DECIMALS = 18

const FILLS: ExportTable = {
  columns: [
    'id',
    'side',
    'inAsset',
    'amountIn',
    'outAsset',
    'amountOut',
    'fee',
    'feeSource',
    'midAtFill',
    'formula',
    'volumeUsd',
    'earned',
    'txHash',
    'createdAt',
    'postedAt',
    'seq',
    'raw',
  ],
  page: 'SELECT *, 0 AS p FROM fills WHERE (seq, n, 0) > (?, ?, ?) ORDER BY seq, n LIMIT ?',
  rowsOf: (row) => [
    {
      id: text(row['venue_id']),
      side: text(row['side']),
      inAsset: text(row['in_asset']),
      amountIn: amount(row['amount_in']),
      outAsset: text(row['out_asset']),
      amountOut: amount(row['amount_out']),
      fee: amount(row['fee']),
      feeSource: text(row['fee_source']),
      midAtFill: rate(row['mid_at_fill']),
      formula: text(row['formula']),
      volumeUsd: formatDecimalText(BigInt(text(row['volume_usd'])), USD_DECIMALS),
      earned: textOrNull(row['earned_text']),
      txHash: textOrNull(row['tx_hash']),
      createdAt: time(row['created_at']),
      postedAt: time(row['posted_at']),
      seq: Number(row['seq']),
      raw: text(row['raw']),
    },
  ],
}

const QUOTES: ExportTable = {
  columns: ['at', 'bidBps', 'askBps', 'quoteBid', 'quoteAsk', 'quotePairs', 'confirmedBy', 'seq'],
  page: 'SELECT *, 0 AS p FROM quotes WHERE (seq, n, 0) > (?, ?, ?) ORDER BY seq, n LIMIT ?',
  rowsOf: (row) => [
    {
      at: time(row['t']),
      bidBps: Number(row['bid_bps']),
      askBps: Number(row['ask_bps']),
      quoteBid: row['quote_bid'] === 1,
      quoteAsk: row['quote_ask'] === 1,
      quotePairs: pairs(row['quote_pairs']),
      confirmedBy: text(row['confirmed_by']),
      seq: Number(row['seq']),
    },
  ],
}

const RATES: ExportTable = {
  columns: ['at', 'mid', 'rateUpdatedAt', 'source', 'seq'],
  page: 'SELECT *, 0 AS p FROM rates WHERE (seq, n, 0) > (?, ?, ?) ORDER BY seq, n LIMIT ?',
  rowsOf: (row) => [
    {
      at: time(row['t']),
      mid: rate(row['mid']),
      rateUpdatedAt: time(row['rate_updated_at']),
      source: text(row['source']),
      seq: Number(row['seq']),
    },
  ],
}

/** One row per posting: the rows of one entry share `entry` and sum to zero per asset. */
const LEDGER: ExportTable = {
  columns: ['entry', 'at', 'kind', 'reason', 'fillId', 'account', 'asset', 'amount', 'seq'],
  page: `SELECT e.*, p.p, p.account, p.asset, p.amount FROM postings p JOIN ledger_entries e USING (seq, n)
    WHERE (p.seq, p.n, p.p) > (?, ?, ?) ORDER BY p.seq, p.n, p.p LIMIT ?`,
  rowsOf: (row) => [
    {
      entry: Number(row['number']),
      at: time(row['t']),
      kind: text(row['kind']),
      reason: text(row['reason']),
      fillId: textOrNull(row['fill_id']),
      account: text(row['account']),
      asset: text(row['asset']),
      amount: amount(row['amount']),
      seq: Number(row['seq']),
    },
  ],
}

export const EXPORT_TABLES: Readonly<Record<ExportKind, ExportTable>> = {
  fills: FILLS,
  quotes: QUOTES,
  rates: RATES,
  ledger: LEDGER,
  orders: EXPORT_ORDERS,
  treasury: EXPORT_TREASURY,
}

function text(value: Value | undefined): string {
  return String(value)
}

function textOrNull(value: Value | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

function amount(value: Value | undefined): string {
  return formatAmount(BigInt(text(value)))
}

function rate(value: Value | undefined): string | null {
  const known = textOrNull(value)
  return known === null ? null : formatRate(BigInt(known))
}

/** Joins pair names, which contain no spaces, without quoting. Null = all pairs. */
function pairs(value: Value | undefined): string | null {
  const known = textOrNull(value)
  return known === null ? null : (JSON.parse(known) as readonly string[]).join(' ')
}

/** Exports a time outside the calendar (a venue error) as its number. */
function time(value: Value | undefined): string | null {
  if (typeof value !== 'number') return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString()
}
