import type { DatabaseSync } from 'node:sqlite'
import { decodeJson } from '../../base/codec.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { corruptStore, type StoreFailure } from '../failure.ts'
import { checkTreasury } from '../treasury/rows.ts'
import type { LastNumbers } from './messages.ts'

/**
 * Reads what a restart stands on: every kept snapshot parses, and from the oldest of them (or from event 1)
 * the journal runs without holes and is JSON. Gives the last event's number and that of the treasury,
 * 0 for an empty store.
 * May throw SQLite's errors.
 */
export function checkStore(db: DatabaseSync, folder: string): Result<LastNumbers, StoreFailure> {
  const snapshots = db.prepare('SELECT seq, state FROM snapshots ORDER BY seq').all() as {
    readonly seq: number
    readonly state: string
  }[]
  for (const { seq, state } of snapshots) {
    if (!parses(state)) return err(corruptStore(folder, `the snapshot of event ${seq} does not parse`))
  }
  const from = snapshots[0]?.seq ?? 1
  const journal = db
    .prepare(
      `SELECT count(*) AS rows, min(seq) AS first, max(seq) AS last, sum(NOT json_valid(body)) AS bad
       FROM journal WHERE seq >= ?`,
    )
    .get(from) as {
    readonly rows: number
    readonly first: number | null
    readonly last: number | null
    readonly bad: number | null
  }
  const last = journal.last ?? 0
  const expected = snapshots.length === 0 && last === 0 ? 0 : last - from + 1
  if (journal.rows !== expected || (last !== 0 && journal.first !== from)) {
    return err(corruptStore(folder, `the journal has a hole between event ${from} and event ${last}`))
  }
  if ((journal.bad ?? 0) > 0) return err(corruptStore(folder, `${journal.bad} journal rows are not JSON`))
  const newest = snapshots.at(-1)?.seq ?? 0
  if (newest > last)
    return err(corruptStore(folder, `the journal ends before the snapshot of event ${newest}`))
  const treasury = checkTreasury(db, folder)
  return treasury.ok ? ok({ lastSeq: last, treasurySeq: treasury.value }) : treasury
}

function parses(text: string): boolean {
  try {
    decodeJson(text)
    return true
  } catch {
    return false
  }
}
