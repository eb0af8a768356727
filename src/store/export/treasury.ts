import { decodeJson } from '../../base/codec.ts'
import { type Asset, formatTokens } from '../../base/money/asset.ts'
import { HAS_TREASURY_SINCE } from '../schema.ts'
import type { ExportTable } from './kinds.ts'

/** Cells that a notice has under the column's name; null if it has no such field. */
const PLAIN = [
  'intent',
  'leg',
  'from',
  'to',
  'why',
  'reason',
  'code',
  'message',
  'order',
  'accepted',
  'answer',
  'by',
] as const

type Notice = Readonly<Record<string, unknown>> & { readonly postings?: readonly Posting[] }
type Posting = { readonly account: string; readonly asset: Asset; readonly amount: bigint }

/**
 * The treasury's activity: one row per step of an intent, an alert or an order, and one row per posting that it booked.
 * Postings with equal `seq` and `n` sum to zero per asset.
 */
export const EXPORT_TREASURY: ExportTable = {
  columns: ['at', 'event', ...PLAIN, 'account', 'asset', 'amount', 'seq', 'n'],
  since: HAS_TREASURY_SINCE,
  page: `SELECT seq, n, t, type, body, 0 AS p FROM treasury_notices
    WHERE (seq, n, 0) > (?, ?, ?) ORDER BY seq, n LIMIT ?`,
  rowsOf(row) {
    const { postings, ...notice } = decodeJson(String(row['body'])) as Notice
    const cells = {
      at: new Date(Number(row['t'])).toISOString(),
      event: String(row['type']),
      ...Object.fromEntries(PLAIN.map((name) => [name, cell(notice[name])])),
    }
    const place = { seq: Number(row['seq']), n: Number(row['n']) }
    const booked = postings === undefined || postings.length === 0 ? [null] : postings
    return booked.map((posting) => ({
      ...cells,
      account: posting?.account ?? null,
      asset: posting?.asset ?? null,
      amount: posting === null ? null : formatTokens(posting.amount, posting.asset),
      ...place,
    }))
  },
}

function cell(value: unknown): string | number | boolean | null {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return typeof value === 'string' ? value : null
}
