import type { Ms } from '../../../base/time.ts'
import type { Asset } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type {
  BalancesRow,
  CompetitionRow,
  DecisionRow,
  TapeFill,
  QuoteRow,
  RateRow,
  ReferenceRow,
  TapeRow,
} from './row.ts'
import { invariant } from '../../../base/result.ts'

/**
 * A stretch of a tape by columns, each kind in time order; batches of one tape follow each other and do not overlap.
 * Frequent kinds are typed arrays, because they are mostly repetitions; the others are rows.
 */
export type TapeBatch = {
  /** Rows of all kinds. */
  readonly rows: number
  readonly rates: RateColumns
  readonly competition: CompetitionColumns
  readonly references: readonly ReferenceRow[]
  readonly balances: readonly BalancesRow[]
  readonly quotes: readonly QuoteRow[]
  readonly fills: readonly TapeFill[]
  /** Empty unless requested. */
  readonly decisions: readonly DecisionRow[]
}

export type RateColumns = {
  readonly length: number
  readonly t: Float64Array
  /** Index into `mids`; equal indexes are equal mids, but different ones may be equal too. */
  readonly mid: Int32Array
  readonly mids: readonly Rate[]
  /** NaN = not dated. */
  readonly rateUpdatedAt: Float64Array
  /** 1 yes, 0 no, -1 not reported by the venue. */
  readonly quotable: Int8Array
}

export type CompetitionColumns = {
  readonly length: number
  readonly t: Float64Array
  /** Index into `probes`. */
  readonly probe: Int32Array
  readonly probes: readonly Probe[]
  /** -1 = no provider, or not probed. */
  readonly bidBps: Int16Array
  readonly askBps: Int16Array
  /** Whether the spreads are our own quote: 1 yes, 0 no, -1 unknown. */
  readonly own: Int8Array
}

export type Probe = { readonly from: Asset; readonly to: Asset; readonly amount: bigint }

/** A part of a tape that could not be read; always reported and counted. */
export type TapeProblem = {
  readonly file: string
  /** 'line 12', 'row group 3', 'footer'. */
  readonly at: string
  /** What is wrong and how it was handled, in a sentence. */
  readonly message: string
  /** Number of rows skipped because of it; null = unknown. */
  readonly skipped: number | null
  /** How many of them are fills; absent = none. */
  readonly fills?: number
}

/** The source of a tape's batches. */
export type TapeSource = {
  readonly batches: () => AsyncIterable<TapeBatch> | Iterable<TapeBatch>
  /** Problems met so far. */
  readonly problems: () => readonly TapeProblem[]
}

/** Restricts a reading: from inclusive, to exclusive. */
export type TapeWindow = { readonly from?: Ms; readonly to?: Ms }

/** A stretch of one file that is read at once. */
export type Segment = {
  /** Lower bound of its rows' times. */
  readonly startsAt: Ms
  readonly file: string
  /** 'row group 3', or 'text'. */
  readonly at: string
  /** Returns its rows in tape order. Reports and omits what cannot be read. Never throws. */
  readonly load: () => TapeBatch | Promise<TapeBatch>
}

/** Returns rows, already in tape order, as columns. */
export function batchOfRows(rows: readonly TapeRow[]): TapeBatch {
  return {
    rows: rows.length,
    rates: rateColumns(rows.filter((row) => row.type === 'rate')),
    competition: competitionColumns(rows.filter((row) => row.type === 'competition')),
    references: rows.filter((row) => row.type === 'reference'),
    balances: rows.filter((row) => row.type === 'balances'),
    quotes: rows.filter((row) => row.type === 'quote'),
    fills: rows.filter((row) => row.type === 'fill'),
    decisions: rows.filter((row) => row.type === 'decision'),
  }
}

/** Returns a batch without rows. */
export function emptyBatch(): TapeBatch {
  return batchOfRows([])
}

function rateColumns(rows: readonly RateRow[]): RateColumns {
  const mids = new Map<Rate, number>()
  const columns = {
    length: rows.length,
    t: new Float64Array(rows.length),
    mid: new Int32Array(rows.length),
    mids: [] as Rate[],
    rateUpdatedAt: new Float64Array(rows.length),
    quotable: new Int8Array(rows.length),
  }
  for (const [i, row] of rows.entries()) {
    columns.t[i] = row.t
    columns.mid[i] = indexOf(mids, row.mid, columns.mids, row.mid)
    columns.rateUpdatedAt[i] = row.rateUpdatedAt ?? Number.NaN
    columns.quotable[i] = row.quotable === null ? -1 : Number(row.quotable)
  }
  return columns
}

function competitionColumns(rows: readonly CompetitionRow[]): CompetitionColumns {
  const probes = new Map<string, number>()
  const columns = {
    length: rows.length,
    t: new Float64Array(rows.length),
    probe: new Int32Array(rows.length),
    probes: [] as Probe[],
    bidBps: new Int16Array(rows.length),
    askBps: new Int16Array(rows.length),
    own: new Int8Array(rows.length),
  }
  for (const [i, { t, from, to, amount, bidBps, askBps, own }] of rows.entries()) {
    columns.t[i] = t
    columns.probe[i] = indexOf(probes, `${from} ${to} ${amount}`, columns.probes, { from, to, amount })
    columns.bidBps[i] = bidBps ?? -1
    columns.askBps[i] = askBps ?? -1
    columns.own[i] = own === undefined ? -1 : Number(own)
  }
  return columns
}

/** Returns the index of `value` in `values`, appending it if its key is new. */
function indexOf<K, V>(places: Map<K, number>, key: K, values: V[], value: V): number {
  const known = places.get(key)
  if (known !== undefined) return known
  places.set(key, values.length)
  return values.push(value) - 1
}

/** Returns row `i` of a batch's rates. */
export function rateRowOfColumns(columns: RateColumns, i: number): RateRow {
  const updatedAt = existing(columns.rateUpdatedAt[i])
  const quotable = existing(columns.quotable[i])
  return {
    type: 'rate',
    t: existing(columns.t[i]),
    mid: existing(columns.mids[existing(columns.mid[i])]),
    rateUpdatedAt: Number.isNaN(updatedAt) ? null : updatedAt,
    quotable: quotable < 0 ? null : quotable === 1,
  }
}

/** Returns row `i` of a batch's competition. */
export function competitionRowOfColumns(columns: CompetitionColumns, i: number): CompetitionRow {
  const [bidBps, askBps] = [existing(columns.bidBps[i]), existing(columns.askBps[i])]
  const own = existing(columns.own[i])
  return {
    type: 'competition',
    t: existing(columns.t[i]),
    ...existing(columns.probes[existing(columns.probe[i])]),
    bidBps: bidBps < 0 ? null : bidBps,
    askBps: askBps < 0 ? null : askBps,
    ...(own < 0 ? {} : { own: own === 1 }),
  }
}

function existing<T>(value: T | undefined): T {
  invariant(value !== undefined, 'the columns of a batch have its length')
  return value
}

/** Yields the rows of a batch in tape order. */
export function* rowsOfBatch(batch: TapeBatch): Generator<TapeRow, undefined> {
  // In the order of ROW_KINDS: at equal times the first track goes first.
  const tracks: readonly Track[] = [
    { t: batch.rates.t, row: (i) => rateRowOfColumns(batch.rates, i), next: 0 },
    trackOf(batch.references),
    { t: batch.competition.t, row: (i) => competitionRowOfColumns(batch.competition, i), next: 0 },
    trackOf(batch.balances),
    trackOf(batch.quotes),
    trackOf(batch.fills),
    trackOf(batch.decisions),
  ]
  for (;;) {
    let first: Track | null = null
    let earliest = Number.POSITIVE_INFINITY
    for (const track of tracks) {
      const t = track.t[track.next] ?? Number.POSITIVE_INFINITY
      if (t >= earliest) continue
      first = track
      earliest = t
    }
    if (first === null) return
    yield first.row(first.next++)
  }
}

type Track = {
  readonly t: ArrayLike<number>
  readonly row: (i: number) => TapeRow
  next: number
}

function trackOf(rows: readonly TapeRow[]): Track {
  const row = (i: number): TapeRow => {
    const found = rows[i]
    invariant(found !== undefined, 'a track has a row for each of its times')
    return found
  }
  return { t: rows.map(({ t }) => t), row, next: 0 }
}
