import { decodeJson } from '../../base/codec.ts'
import { type Asset, formatAmount } from '../../money/asset.ts'
import { HAS_TREASURY_SINCE } from '../schema.ts'
import type { ExportTable } from './kinds.ts'

/** Cells that stand in a notice under the name of their column; null where a notice does not have it. */
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

type Posting = { readonly account: string; readonly asset: Asset; readonly amount: bigint }

/**
 * What the treasury did, a row a step of an intent, an alert or an order, and for what it booked a row a posting: those of
 * one `seq` and `n` sum to zero per asset.
 */
export const EXPORT_TREASURY: ExportTable = {
  columns: ['at', 'event', ...PLAIN, 'account', 'asset', 'amount', 'seq', 'n'],
  since: HAS_TREASURY_SINCE,
  page: `SELECT o.seq, o.n, o.t, o.type, o.body, coalesce(p.key, 0) AS p, p.value AS posting
    FROM treasury_notices o LEFT JOIN json_each(o.body, '$.postings') p
    WHERE (o.seq, o.n, coalesce(p.key, 0)) > (?, ?, ?) ORDER BY o.seq, o.n, p LIMIT ?`,
  rowOf(row) {
    const notice = decodeJson(String(row['body'])) as Readonly<Record<string, unknown>>
    const posting = row['posting'] === null ? null : (decodeJson(String(row['posting'])) as Posting)
    return {
      at: new Date(Number(row['t'])).toISOString(),
      event: String(row['type']),
      ...Object.fromEntries(PLAIN.map((name) => [name, cell(notice[name])])),
      account: posting?.account ?? null,
      asset: posting?.asset ?? null,
      amount: posting === null ? null : formatAmount(posting.amount, posting.asset),
      seq: Number(row['seq']),
      n: Number(row['n']),
    }
  },
}

function cell(value: unknown): string | number | boolean | null {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return typeof value === 'string' ? value : null
}
