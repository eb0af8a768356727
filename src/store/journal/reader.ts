import { readEvent } from '../../core/engine/upcast/written.ts'
import type { Event } from '../../core/engine/model/event.ts'
import type { Connection } from '../connection/connection.ts'
import { readFrom, StoreReadError } from '../failure.ts'
import type { JournalRecord, RestartPoint, Snapshot, Suspension } from '../store.ts'
import { type TreasuryRecord, readTreasuryRows } from '../treasury/journal.ts'

/** Reads a position's journal and the other data that a restart or a replay needs. */
export type JournalReader = {
  /** Number of the last event on disk; 0 = no event. */
  readonly lastSeq: () => number
  /** Number of the oldest kept event; 0 = no event. */
  readonly firstSeq: () => number
  readonly oldestSnapshot: () => Snapshot | null
  readonly latestSnapshot: () => Snapshot | null
  readonly suspensions: () => readonly Suspension[]
  readonly recover: () => RestartPoint
  /** Events from `fromSeq` on, in order, up to the end of the journal when the iterator gets there. */
  readonly journal: (fromSeq: number) => Iterable<JournalRecord>
  /** The treasury's events after number `from` (default: all); empty in a store without a treasury. */
  readonly treasury: (from?: number) => Iterable<TreasuryRecord>
}

/** Rows per page: a reader that stops in the middle leaves no transaction open. */
const PAGE_ROWS = 500

/** Reads over the caller's connection. Every method throws StoreReadError if reading fails. */
export function createJournalReader(db: Connection): JournalReader {
  function snapshot(order: 'ASC' | 'DESC'): Snapshot | null {
    const sql = `SELECT seq, t, state, digest FROM snapshots ORDER BY seq ${order} LIMIT 1`
    // Spread, because SQLite's rows have no prototype and ours are plain objects.
    return readFrom(db, () => {
      const row = db.prepare(sql).get() as unknown as Snapshot | undefined
      return row === undefined ? null : { ...row }
    })
  }

  const reader: JournalReader = {
    lastSeq: () => numberOf(db, 'SELECT max(seq) AS seq FROM journal'),
    firstSeq: () => numberOf(db, FIRST_SEQ),
    oldestSnapshot: () => snapshot('ASC'),
    latestSnapshot: () => snapshot('DESC'),
    suspensions: () =>
      readFrom(db, () => {
        const rows = db.prepare('SELECT seq, reason FROM suspensions ORDER BY seq').all()
        return rows.map((row) => ({ ...(row as unknown as Suspension) }))
      }),
    recover() {
      const latest = reader.latestSnapshot()
      const tail = reader.journal((latest?.seq ?? 0) + 1)
      return { snapshot: latest, tail, suspensions: reader.suspensions(), lastSeq: reader.lastSeq() }
    },
    journal: (fromSeq) => readJournal(db, fromSeq),
    treasury: (from) => readTreasuryRows(db, from),
  }
  return reader
}

const FIRST_SEQ = 'SELECT min(seq) AS seq FROM journal'

type JournalRow = { readonly seq: number; readonly body: string }

function* readJournal(db: Connection, fromSeq: number): Generator<JournalRecord> {
  const page = readFrom(db, () =>
    db.prepare('SELECT seq, body FROM journal WHERE seq >= ? ORDER BY seq LIMIT ?'),
  )
  let expected = fromSeq
  for (;;) {
    const rows = readFrom(db, () => page.all(expected, PAGE_ROWS)) as unknown as readonly JournalRow[]
    for (const { seq, body } of rows) {
      if (seq !== expected) throw missing(db, expected, seq)
      yield { seq, event: decodeEvent(db, seq, body) }
      expected += 1
    }
    if (rows.length < PAGE_ROWS) return
  }
}

function missing(db: Connection, expected: number, found: number): StoreReadError {
  const reason = `event ${expected} is missing; the next event is ${found}`
  const kept = numberOf(db, FIRST_SEQ)
  if (expected >= kept) return new StoreReadError(db.corrupt(reason))
  const message = `${reason}: the journal in ${db.where} keeps events from ${kept} on, older ones were dropped by retention`
  return new StoreReadError({ kind: 'io', message })
}

function decodeEvent(db: Connection, seq: number, body: string): Event {
  try {
    return readEvent(body)
  } catch {
    throw new StoreReadError(db.corrupt(`event ${seq} does not parse`))
  }
}

function numberOf(db: Connection, sql: string): number {
  return readFrom(db, () => Number(db.prepare(sql).get()?.['seq'] ?? 0))
}
