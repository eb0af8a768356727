import type { Ms } from '../../base/time.ts'
import type { Connection, Row } from '../connection/connection.ts'
import type { EventPlace } from '../store.ts'
import type { Asset } from '../../base/money/asset.ts'
import type { FillLegs } from '../../core/ledger/fills/fill.ts'
import type { Side } from '../../base/money/side.ts'
import type { Rate } from '../../base/money/rate.ts'

/** A booked fill, in book amounts. */
export type FillRow = FillLegs & {
  readonly seq: number
  readonly n: number
  readonly id: string
  readonly side: Side
  /** The fee debited in addition to `amountOut`, as booked with the fill. */
  readonly feePaid: bigint
  readonly midAtFill: Rate | null
  readonly formula: string
  /** Absolute dollars with 18 decimals. */
  readonly volumeUsd: bigint
  readonly txHash: string | null
  /** On the venue's clock; null = not dated. */
  readonly executedAt: Ms | null
  /** On our clock. */
  readonly bookedAt: Ms
}

type FillRange = { readonly from: Ms; readonly to: Ms; readonly end: Ms; readonly stepMs: Ms }
/** What filled on a UTC day (days since the epoch): dollars, and the whole fee in base units of `outAsset`; floats, for charts. */
type FillSum = {
  readonly day: number
  readonly side: Side
  readonly inAsset: Asset
  readonly outAsset: Asset
  readonly fills: number
  readonly volumeUsd: number
  readonly fee: number
}
type FillFilter = { readonly side?: Side | undefined; readonly asset?: Asset | undefined }
/** `step` counts from 0, the step that ends at `end`. */
type FillCount = { readonly step: number; readonly side: 'bid' | 'ask'; readonly count: number }

export type FillReader = {
  /** The fills before the place, newest first; null = from the newest. */
  readonly fills: (before: EventPlace | null, limit: number, filter?: FillFilter) => readonly FillRow[]
  /** Sums of the fills booked in [from, to] by day, side and tokens. */
  readonly sumFills: (from: Ms, to: Ms) => readonly FillSum[]
  /** Counts fills booked in [from, to] per step of `stepMs`; steps end at `end`, `end` + step ... */
  readonly countFills: (range: FillRange) => readonly FillCount[]
  /** The mid known at `t`, and since when; null = none yet. */
  readonly midAt: (t: Ms) => { readonly mid: bigint; readonly since: Ms } | null
}

const FIRST_PAGE = { seq: Number.MAX_SAFE_INTEGER, n: 0 }

/** The column `fee` is the whole fee, even if it belongs to another provider; only the ledger has the owner. */
const PAGE = `SELECT f.*, (
    SELECT p.amount FROM ledger_entries e JOIN postings p USING (seq, n)
    WHERE e.seq = f.seq AND e.kind = 'fill' AND e.fill_id = f.venue_id AND p.account = 'fees'
    ORDER BY e.n, p.p LIMIT 1
  ) AS fee_paid
  FROM fills f WHERE (f.seq, f.n) < (?, ?) AND f.side LIKE ? AND (f.in_asset LIKE ? OR f.out_asset LIKE ?) ORDER BY f.seq DESC, f.n DESC LIMIT ?`

/** Returns a reader of fills (newest first), their number and their mids. */
export function fillReader(db: Connection): FillReader {
  const page = db.prepare(PAGE)
  // Rounded up: a fill belongs to the step that ends at or after it. Integer division truncates towards zero.
  const count = db.prepare(
    `SELECT CASE WHEN posted_at <= ? THEN 0 ELSE CAST((posted_at - ? + ? - 1) / ? AS BIGINT) END AS step,
       side, count(*) AS count
     FROM fills WHERE posted_at BETWEEN ? AND ? GROUP BY 1, 2`,
  )
  const sum = db.prepare(
    `SELECT CAST(posted_at / 86400000 AS BIGINT) AS day, side, in_asset AS "inAsset", out_asset AS "outAsset",
       count(*) AS fills, sum(CAST(volume_usd AS DOUBLE PRECISION)) / 1e18 AS "volumeUsd",
       sum(CAST(fee AS DOUBLE PRECISION)) AS fee
     FROM fills WHERE posted_at BETWEEN ? AND ? GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  )
  const mid = db.prepare('SELECT t, mid FROM rates WHERE t <= ? ORDER BY t DESC, seq DESC LIMIT 1')
  return {
    fills(before, limit, { side, asset } = {}) {
      const { seq, n } = before ?? FIRST_PAGE
      const token = asset ?? '%'
      return page.all(seq, n, side ?? '%', token, token, limit).map(fillRow)
    },
    sumFills: (from, to) => sum.all(from, to).map((row) => ({ ...(row as unknown as FillSum) })),
    countFills({ from, to, end, stepMs }) {
      const rows = count.all(end, end, stepMs, stepMs, from, to)
      return rows.map((row) => ({ ...(row as unknown as FillCount) }))
    },
    midAt(t) {
      const row = mid.get(t)
      return row === undefined ? null : { mid: BigInt(String(row['mid'])), since: Number(row['t']) }
    },
  }
}

function fillRow(row: Row): FillRow {
  const text = (column: string) => String(row[column])
  const textOrNull = (column: string) => (row[column] === null ? null : text(column))
  const mid = textOrNull('mid_at_fill')
  return {
    seq: Number(row['seq']),
    n: Number(row['n']),
    id: text('venue_id'),
    side: text('side') as Side,
    inAsset: text('in_asset') as Asset,
    amountIn: BigInt(text('amount_in')),
    outAsset: text('out_asset') as Asset,
    amountOut: BigInt(text('amount_out')),
    feePaid: BigInt(textOrNull('fee_paid') ?? 0),
    midAtFill: mid === null ? null : BigInt(mid),
    formula: text('formula'),
    volumeUsd: BigInt(text('volume_usd')),
    txHash: textOrNull('tx_hash'),
    executedAt: row['created_at'] === null ? null : Number(row['created_at']),
    bookedAt: Number(row['posted_at']),
  }
}
