import type { DatabaseSync } from 'node:sqlite'
import { err, invariant, ok, type Result } from '../../base/result.ts'
import { corruptStore, readOrThrow, StoreReadError, type StoreFailure } from '../failure.ts'
import { HAS_TREASURY_SINCE, schemaVersion } from '../schema.ts'
import type { TreasuryRecord, TreasuryWrite } from './journal.ts'

/** What this form of the bodies is; a later one is lifted where it is read. */
export const TREASURY_FORM = 1

const PAGE_ROWS = 500

/** Writes inside the caller's transaction; gives the last number. */
export type TreasuryRowWriter = (last: number, write: TreasuryWrite) => number

export function createTreasuryRowWriter(db: DatabaseSync): TreasuryRowWriter {
  const insertEvent = db.prepare(
    'INSERT INTO treasury_journal (seq, t, type, body, form) VALUES (?, ?, ?, ?, ?)',
  )
  const insertNotice = db.prepare(
    'INSERT OR IGNORE INTO treasury_notices (seq, n, t, type, body) VALUES (?, ?, ?, ?, ?)',
  )
  return (last, write) => {
    if (write[0] === 'treasury') {
      const { seq, t, type, body } = write[1]
      invariant(seq === last + 1, `treasury event ${seq} follows ${last}: the journal would have a hole`)
      insertEvent.run(seq, t, type, body, TREASURY_FORM)
      return seq
    }
    const [, seq, notices] = write
    invariant(seq <= last, `notices of treasury event ${seq} came before the event`)
    for (const [n, { t, type, body }] of notices.entries()) insertNotice.run(seq, n, t, type, body)
    return last
  }
}

/** The number of the last event of the treasury; from 1 on they run without holes and are JSON. May throw SQLite's errors. */
export function checkTreasury(db: DatabaseSync, folder: string): Result<number, StoreFailure> {
  const { rows, last, bad } = db
    .prepare(
      'SELECT count(*) AS rows, max(seq) AS last, sum(NOT json_valid(body)) AS bad FROM treasury_journal',
    )
    .get() as { readonly rows: number; readonly last: number | null; readonly bad: number | null }
  if (rows !== (last ?? 0))
    return err(corruptStore(folder, `the treasury's journal has a hole before event ${last}`))
  if ((bad ?? 0) > 0) return err(corruptStore(folder, `${bad} rows of the treasury's journal are not JSON`))
  return ok(last ?? 0)
}

/** All events, oldest first; none in a store from before there was a treasury. Throws StoreReadError. */
export function* readTreasury(db: DatabaseSync, folder: string): Generator<TreasuryRecord> {
  if (readOrThrow(folder, () => schemaVersion(db)) < HAS_TREASURY_SINCE) return
  const page = readOrThrow(folder, () =>
    db.prepare('SELECT seq, t, type, body, form FROM treasury_journal WHERE seq > ? ORDER BY seq LIMIT ?'),
  )
  let after = 0
  for (;;) {
    const rows = readOrThrow(folder, () => page.all(after, PAGE_ROWS)) as (TreasuryRecord & {
      readonly form: number
    })[]
    for (const { seq, t, type, body, form } of rows) {
      if (seq !== after + 1)
        throw new StoreReadError(corruptStore(folder, `treasury event ${after + 1} is missing`))
      if (form > TREASURY_FORM)
        throw new StoreReadError({
          kind: 'newer-version',
          message: `treasury event ${seq} in ${folder} has form ${form}: start the newer mizani that wrote it`,
        })
      yield { seq, t, type, body }
      after = seq
    }
    if (rows.length < PAGE_ROWS) return
  }
}
