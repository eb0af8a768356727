import { decodeJson } from '../../base/codec.ts'
import { invariant, err, errorText, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { DatabaseSync } from 'node:sqlite'
import type { Connection } from '../connection/connection.ts'
import { corruptStore, readFrom, StoreReadError, type StoreFailure } from '../failure.ts'
import { HAS_TREASURY_SINCE } from '../schema.ts'

/** A stored treasury event; its numbers are separate from the position's. */
export type TreasuryRecord = {
  readonly seq: number
  readonly t: Ms
  readonly type: string
  /** JSON from `encodeJson`. The store does not interpret it. */
  readonly body: string
}

/** A treasury observation at an event, for display: a row of `treasury_notices`. */
type TreasuryNotice = Omit<TreasuryRecord, 'seq'>

/** One write of the treasury. */
export type TreasuryWrite =
  | readonly [what: 'treasury', record: TreasuryRecord]
  | readonly [what: 'treasuryNotices', seq: number, notices: readonly TreasuryNotice[]]

/**
 * The treasury's part of a position's store. Its state is the fold of the whole journal, so nothing is ever dropped: a
 * few hundred events a day. It shares the store's transactions, lock and failures.
 */
export type TreasuryJournal = {
  /** Number of the last posted event; 0 = no event. */
  readonly lastSeq: () => number
  /** The events on disk after number `from` (default: all), oldest first. Throws StoreReadError. */
  readonly recover: (from?: number) => Iterable<TreasuryRecord>
  /** Posts an event under the next number without holes. */
  readonly append: (record: TreasuryRecord) => void
  /** Posts the observations at `seq`. Idempotent. */
  readonly note: (seq: number, notices: readonly TreasuryNotice[]) => void
  readonly durableSeq: () => number
  /** Called in order as numbers become durable. */
  readonly onDurable: (listener: (seq: number) => void) => void
}

type TreasuryJournalParts = Pick<TreasuryJournal, 'recover' | 'durableSeq' | 'onDurable'> & {
  readonly lastSeq: number
  readonly post: (write: TreasuryWrite) => void
}

export function createTreasuryJournal({ lastSeq, post, ...parts }: TreasuryJournalParts): TreasuryJournal {
  let posted = lastSeq
  return {
    ...parts,
    lastSeq: () => posted,
    append(record) {
      invariant(
        record.seq === posted + 1,
        `treasury event ${record.seq} follows ${posted}: the journal would have a gap`,
      )
      posted = record.seq
      post(['treasury', record])
    },
    note(seq, notices) {
      invariant(seq <= posted, `notices of treasury event ${seq} came before the event`)
      if (notices.length > 0) post(['treasuryNotices', seq, notices])
    },
  }
}

/** The form of the bodies; a later form is upcast where it is read. */
export const TREASURY_FORM = 1

const PAGE_ROWS = 500

/** Writes inside the caller's transaction; returns the last number. */
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
      invariant(seq === last + 1, `treasury event ${seq} follows ${last}: the journal would have a gap`)
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

/** Returns the number of the treasury's last event after checking that events from 1 are JSON without gaps. */
export function checkTreasury(
  { rows, last, bad }: TreasuryRows,
  corrupt: (reason: string) => StoreFailure,
): Result<number, StoreFailure> {
  if (rows !== (last ?? 0)) return err(corrupt(`the treasury's journal has a hole before event ${last}`))
  if ((bad ?? 0) > 0) return err(corrupt(`${bad} rows of the treasury's journal are not JSON`))
  return ok(last ?? 0)
}

/** Yields events after number `from`, oldest first; nothing in a store without a treasury. Throws StoreReadError. */
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

/** The columns of a row of the treasury's journal. */
export const TREASURY_COLUMNS = 'seq, t, type, body, form'
export type TreasuryRow = TreasuryRecord & { readonly form: number }

/** Returns the event after number `after`. Throws StoreReadError if the row has another number or a later form. */
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

/** Returns the event of a record, which only the treasury interprets. Throws StoreReadError if it does not parse. */
export function storedEventOf({ seq, body }: TreasuryRecord, place: string): unknown {
  try {
    return decodeJson(body)
  } catch (error) {
    throw new StoreReadError(corruptStore(place, `treasury event ${seq} does not parse: ${errorText(error)}`))
  }
}
