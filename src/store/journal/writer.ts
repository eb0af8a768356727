import type { DatabaseSync } from 'node:sqlite'
import { writeEvent } from '../../core/engine/upcast/written.ts'
import { invariant } from '../../base/result.ts'
import type { JournalWrite, LastNumbers } from '../journal-messages.ts'
import { createProjectionWriter } from '../tables/projection.ts'
import { SCHEMA_VERSION } from '../schema.ts'
import { createTreasuryRowWriter } from '../treasury/journal.ts'

/** The only connection that writes. Every method is one transaction, all or nothing. */
export type JournalWriter = {
  readonly last: () => LastNumbers
  /** Writes in order and returns the last numbers of both journals. Throws SQLite's errors and then writes nothing. */
  readonly write: (writes: readonly JournalWrite[]) => LastNumbers
  /** Drops up to `limit` journal rows older than `keepFromMs`; returns how many. 0 = nothing left to drop. */
  readonly prune: (keepFromMs: number, limit: number) => number
}

const KEPT_SNAPSHOTS = 3
const PROJECTED = 'projectedSeq'

export function createJournalWriter(db: DatabaseSync, openedAt: LastNumbers): JournalWriter {
  const insertEvent = db.prepare('INSERT INTO journal (seq, t, type, body) VALUES (?, ?, ?, ?)')
  const insertSnapshot = db.prepare(
    'INSERT OR REPLACE INTO snapshots (seq, t, state, digest, version) VALUES (?, ?, ?, ?, ?)',
  )
  const keepSnapshots = db.prepare(
    'DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?)',
  )
  const insertSuspension = db.prepare('INSERT OR IGNORE INTO suspensions (seq, reason) VALUES (?, ?)')
  const insertMeta = db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
  const project = createProjectionWriter(db)
  const writeTreasury = createTreasuryRowWriter(db)
  // Rows that an earlier process projected are final: a replay by other code must not add rows to them.
  const projectedBefore = Number(
    db.prepare('SELECT value FROM meta WHERE key = ?').get(PROJECTED)?.['value'] ?? 0,
  )
  let last = openedAt
  let projected = projectedBefore

  function writeAll(writes: readonly JournalWrite[]): LastNumbers {
    let { lastSeq, treasurySeq } = last
    for (const write of writes) {
      if (write[0] === 'event') {
        const [, seq, event] = write
        invariant(seq === lastSeq + 1, `event ${seq} follows ${lastSeq}: the journal would have a gap`)
        insertEvent.run(seq, event.t, event.type, writeEvent(event))
        lastSeq = seq
      } else if (write[0] === 'observations') {
        const [, seq, observations] = write
        invariant(seq <= lastSeq, `observations of event ${seq} came before the event`)
        if (seq <= projectedBefore) continue
        project(seq, observations)
        if (seq > projected) insertMeta.run(PROJECTED, String(seq))
        projected = Math.max(projected, seq)
      } else if (write[0] === 'snapshot') {
        const { seq, t, state, digest } = write[1]
        invariant(seq <= lastSeq, `a snapshot of event ${seq} came before the event`)
        insertSnapshot.run(seq, t, state, digest, SCHEMA_VERSION)
        keepSnapshots.run(KEPT_SNAPSHOTS)
      } else if (write[0] === 'suspension') {
        insertSuspension.run(write[1].seq, write[1].reason)
      } else {
        treasurySeq = writeTreasury(treasurySeq, write)
      }
    }
    return { lastSeq, treasurySeq }
  }

  return {
    last: () => last,
    write(writes) {
      last = inTransaction(db, () => writeAll(writes))
      return last
    },
    prune: createPrune(db),
  }
}

function createPrune(db: DatabaseSync): JournalWriter['prune'] {
  const oldestSnapshot = db.prepare('SELECT min(seq) AS seq FROM snapshots')
  const firstKept = db.prepare('SELECT seq FROM journal WHERE seq < ? AND t >= ? ORDER BY seq LIMIT 1')
  const firstRow = db.prepare('SELECT min(seq) AS seq FROM journal')
  const drop = db.prepare('DELETE FROM journal WHERE seq < ?')
  return (keepFromMs, limit) =>
    inTransaction(db, () => {
      const first = firstRow.get()?.['seq'] as number | null
      const bound = oldestSnapshot.get()?.['seq'] as number | null
      if (first === null || bound === null) return 0
      // Drops only from the front: a recent row keeps everything after it, so that no gap appears.
      const upTo = Math.min(bound, first + limit)
      const young = firstKept.get(upTo, keepFromMs)?.['seq'] as number | undefined
      return Number(drop.run(young ?? upTo).changes)
    })
}

function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite ends the transaction itself on some errors (a full disk among them).
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
