import type { DatabaseSync } from 'node:sqlite'
import { err, invariant, ok, type Result } from '../../base/result.ts'
import type { Connection } from '../connection/connection.ts'
import { readFrom, StoreReadError, type StoreFailure } from '../failure.ts'
import { HAS_TREASURY_SINCE } from '../schema.ts'
import type { TreasuryRecord, TreasuryWrite } from './journal.ts'

/** What this form of the bodies is; a later one is lifted where it is read. */
export const TREASURY_FORM = 1

const PAGE_ROWS = 500

/** Writes inside the caller's transaction; gives the last number. */
type TreasuryRowWriter = (last: number, write: TreasuryWrite) => number

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

/** Figures of the treasury's journal. */
export type TreasuryRows = {
  readonly rows: number
  readonly last: number | null
  readonly bad: number | null
}

export function treasuryCheck(countBroken: (column: string) => string): string {
  return `SELECT count(*) AS rows, max(seq) AS last, ${countBroken('body')} AS bad FROM treasury_journal`
}

/** The number of the last event of the treasury; from 1 on they run without holes and are JSON. */
export function checkTreasury(
  { rows, last, bad }: TreasuryRows,
  corrupt: (reason: string) => StoreFailure,
): Result<number, StoreFailure> {
  if (rows !== (last ?? 0)) return err(corrupt(`the treasury's journal has a hole before event ${last}`))
  if ((bad ?? 0) > 0) return err(corrupt(`${bad} rows of the treasury's journal are not JSON`))
  return ok(last ?? 0)
}

/** Events after number `from`, oldest first; none in a store from before there was a treasury. Throws StoreReadError. */
export function* readTreasuryRows(db: Connection, from = 0): Generator<TreasuryRecord> {
  if (readFrom(db, db.version) < HAS_TREASURY_SINCE) return
  const page = readFrom(db, () =>
    db.prepare(`SELECT ${TREASURY_COLUMNS} FROM treasury_journal WHERE seq > ? ORDER BY seq LIMIT ?`),
  )
  let after = from
  for (;;) {
    const rows = readFrom(db, () => page.all(after, PAGE_ROWS)) as unknown as readonly TreasuryRow[]
    for (const row of rows) yield checkRow(db, row, after++)
    if (rows.length < PAGE_ROWS) return
  }
}

/** What a row of the treasury's journal is read as. */
export const TREASURY_COLUMNS = 'seq, t, type, body, form'
export type TreasuryRow = TreasuryRecord & { readonly form: number }

/** The event that comes after number `after`; throws StoreReadError where the row is another one, or of a later form. */
export function checkRow(
  { corrupt, where }: Pick<Connection, 'corrupt' | 'where'>,
  { seq, t, type, body, form }: TreasuryRow,
  after: number,
): TreasuryRecord {
  if (seq !== after + 1) throw new StoreReadError(corrupt(`treasury event ${after + 1} is missing`))
  if (form > TREASURY_FORM)
    throw new StoreReadError({
      kind: 'newer-version',
      message: `treasury event ${seq} in ${where} has form ${form}: start the newer mizani that wrote it`,
    })
  return { seq, t, type, body }
}
