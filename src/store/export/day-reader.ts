import type { Ms } from '../../base/time.ts'
import type { Observation } from '../../core/engine/model/observation.ts'
import { readObservation } from '../../core/engine/upcast/written.ts'
import { formatRate } from '../../base/money/rate.ts'
import type { Connection } from '../connection/connection.ts'
import { readFrom } from '../failure.ts'

/** A row of the journal, unparsed. */
type JournalRow = { readonly seq: number; readonly body: string }

/** What a close reads from a store in addition to its rows. Every function throws StoreReadError if reading fails. */
export type DayReader = {
  /** Number of the last event before `t`, even if retention dropped it from the journal; 0 = no event. */
  readonly lastSeqBefore: (t: Ms) => number
  /** The unparsed journal from `fromSeq` to `toSeq`, without rows that retention dropped. */
  readonly journalRows: (fromSeq: number, toSeq: number) => Iterable<JournalRow>
  /** The last observation of a type up to an event; null = no such observation. */
  readonly latestNotice: <Type extends NoticeType>(
    type: Type,
    upTo: number,
  ) => Extract<Observation, { readonly type: Type }> | null
  /** All observations of a type from `fromSeq` to `toSeq`, oldest first. */
  readonly notices: <Type extends NoticeType>(
    type: Type,
    fromSeq: number,
    toSeq: number,
  ) => Iterable<Extract<Observation, { readonly type: Type }>>
  /** The mid at which the venue priced a booked fill, as text; null = unknown. */
  readonly midOfFill: (id: string) => string | null
}

/** Observations that are stored as notices. */
type NoticeType =
  | 'tradingStateChanged'
  | 'reconciliationChanged'
  | 'activationChanged'
  | 'strategyLoaded'
  | 'withdrawn'
  | 'withdrawalMoved'

const PAGE_ROWS = 500
/** Tables that outlive the journal, with their time column. */
const KEPT = [
  ['rates', 't'],
  ['quotes', 't'],
  ['notices', 't'],
  ['ledger_entries', 't'],
  ['fills', 'posted_at'],
] as const

/** Reads over the caller's connection. */
export function createDayReader(db: Connection): DayReader {
  const numberOf = (sql: string, ...values: readonly number[]): number =>
    readFrom(db, () => Number(db.prepare(sql).get(...values)?.['seq'] ?? 0))

  return {
    lastSeqBefore(t) {
      const kept = numberOf('SELECT seq FROM journal WHERE t < ? ORDER BY seq DESC LIMIT 1', t)
      if (kept > 0) return kept
      const last = KEPT.map(([table, column]) =>
        numberOf(`SELECT max(seq) AS seq FROM ${table} WHERE ${column} < ?`, t),
      )
      return Math.max(...last)
    },
    journalRows: (fromSeq, toSeq) => readBodies(db, fromSeq, toSeq),
    latestNotice<Type extends NoticeType>(type: Type, upTo: number) {
      const row = readFrom(db, () =>
        db
          .prepare('SELECT body FROM notices WHERE type = ? AND seq <= ? ORDER BY seq DESC, n DESC LIMIT 1')
          .get(type, upTo),
      )
      if (row === undefined) return null
      return readObservation(String(row['body'])) as Extract<Observation, { readonly type: Type }>
    },
    notices: (type, fromSeq, toSeq) => readNotices(db, type, fromSeq, toSeq),
    midOfFill(id) {
      const row = readFrom(db, () =>
        db.prepare('SELECT mid_at_fill AS mid FROM fills WHERE venue_id = ?').get(id),
      )
      return row?.['mid'] == null ? null : formatRate(BigInt(String(row['mid'])))
    },
  }
}

function* readNotices<Type extends NoticeType>(
  db: Connection,
  type: Type,
  fromSeq: number,
  toSeq: number,
): Generator<Extract<Observation, { readonly type: Type }>> {
  const page = readFrom(db, () =>
    db.prepare(
      'SELECT seq, n, body FROM notices WHERE type = ? AND (seq, n) > (?, ?) AND seq <= ? ORDER BY seq, n LIMIT ?',
    ),
  )
  let after: readonly [number, number] = [fromSeq, -1]
  for (;;) {
    const rows = readFrom(db, () => page.all(type, ...after, toSeq, PAGE_ROWS))
    for (const row of rows) {
      yield readObservation(String(row['body'])) as Extract<Observation, { readonly type: Type }>
      after = [Number(row['seq']), Number(row['n'])]
    }
    if (rows.length < PAGE_ROWS) return
  }
}

function* readBodies(db: Connection, fromSeq: number, toSeq: number): Generator<JournalRow> {
  const page = readFrom(db, () =>
    db.prepare('SELECT seq, body FROM journal WHERE seq >= ? AND seq <= ? ORDER BY seq LIMIT ?'),
  )
  let next = fromSeq
  for (;;) {
    const rows = readFrom(db, () => page.all(next, toSeq, PAGE_ROWS)) as unknown as readonly JournalRow[]
    for (const { seq, body } of rows) {
      yield { seq, body }
      next = seq + 1
    }
    if (rows.length < PAGE_ROWS) return
  }
}
