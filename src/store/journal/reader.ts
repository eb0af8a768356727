import type { DatabaseSync } from 'node:sqlite'
import { readEvent } from '../../engine/upcast/written.ts'
import type { Event } from '../../engine/model/event.ts'
import { corruptStore, readOrThrow, StoreReadError } from '../failure.ts'
import type { JournalRecord, RestartPoint, Snapshot, Suspension } from '../store.ts'
import type { TreasuryRecord } from '../treasury/journal.ts'
import { readTreasury } from '../treasury/rows.ts'

/** What a position remembers: the journal and what a restart or a replay needs beside it. */
export type JournalReader = {
  /** Number of the last event on disk; 0 = none. */
  readonly lastSeq: () => number
  /** Number of the oldest event that is still kept; 0 = none. */
  readonly firstSeq: () => number
  readonly oldestSnapshot: () => Snapshot | null
  readonly latestSnapshot: () => Snapshot | null
  readonly suspensions: () => readonly Suspension[]
  readonly recover: () => RestartPoint
  /** Events from number `fromSeq` on, in order, up to what is on disk when the iterator gets there. */
  readonly journal: (fromSeq: number) => Iterable<JournalRecord>
  /** The treasury's whole journal; none in a store without one. */
  readonly treasury: () => Iterable<TreasuryRecord>
}

/** Rows read at a time: a reader that stops in the middle holds no transaction open. */
const PAGE_ROWS = 500

/** Reads over a connection of the caller's. Everything throws StoreReadError where the file cannot be read. */
export function createJournalReader(db: DatabaseSync, folder: string): JournalReader {
  function snapshot(order: 'ASC' | 'DESC'): Snapshot | null {
    const sql = `SELECT seq, t, state, digest FROM snapshots ORDER BY seq ${order} LIMIT 1`
    // Spread: SQLite's rows have no prototype, ours are plain objects.
    return readOrThrow(folder, () => {
      const row = db.prepare(sql).get() as Snapshot | undefined
      return row === undefined ? null : { ...row }
    })
  }

  const reader: JournalReader = {
    lastSeq: () => numberOf(db, folder, 'SELECT max(seq) AS seq FROM journal'),
    firstSeq: () => numberOf(db, folder, FIRST_SEQ),
    oldestSnapshot: () => snapshot('ASC'),
    latestSnapshot: () => snapshot('DESC'),
    suspensions: () =>
      readOrThrow(folder, () => {
        const rows = db.prepare('SELECT seq, reason FROM suspensions ORDER BY seq').all()
        return rows.map((row) => ({ ...(row as Suspension) }))
      }),
    recover() {
      const latest = reader.latestSnapshot()
      const tail = reader.journal((latest?.seq ?? 0) + 1)
      return { snapshot: latest, tail, suspensions: reader.suspensions(), lastSeq: reader.lastSeq() }
    },
    journal: (fromSeq) => readJournal(db, folder, fromSeq),
    treasury: () => readTreasury(db, folder),
  }
  return reader
}

const FIRST_SEQ = 'SELECT min(seq) AS seq FROM journal'

function* readJournal(db: DatabaseSync, folder: string, fromSeq: number): Generator<JournalRecord> {
  const page = readOrThrow(folder, () =>
    db.prepare('SELECT seq, body FROM journal WHERE seq >= ? ORDER BY seq LIMIT ?'),
  )
  let expected = fromSeq
  for (;;) {
    const rows = readOrThrow(folder, () => page.all(expected, PAGE_ROWS)) as { seq: number; body: string }[]
    for (const { seq, body } of rows) {
      if (seq !== expected) throw missing(db, folder, expected, seq)
      yield { seq, event: decodeEvent(folder, seq, body) }
      expected += 1
    }
    if (rows.length < PAGE_ROWS) return
  }
}

function missing(db: DatabaseSync, folder: string, expected: number, found: number): StoreReadError {
  const reason = `event ${expected} is missing and event ${found} comes next`
  const kept = numberOf(db, folder, FIRST_SEQ)
  if (expected >= kept) return new StoreReadError(corruptStore(folder, reason))
  const message = `${reason}: the journal in ${folder} keeps events from ${kept} on, older ones were dropped by retention`
  return new StoreReadError({ kind: 'io', message })
}

function decodeEvent(folder: string, seq: number, body: string): Event {
  try {
    return readEvent(body)
  } catch {
    throw new StoreReadError(corruptStore(folder, `event ${seq} does not parse`))
  }
}

function numberOf(db: DatabaseSync, folder: string, sql: string): number {
  return readOrThrow(folder, () => Number(db.prepare(sql).get()?.['seq'] ?? 0))
}
