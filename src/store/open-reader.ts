import { err, ok, type Result } from '../base/result.ts'
import { createDayReader, type DayReader } from './export/day-reader.ts'
import type { ExportKind, ExportRow } from './export/kinds.ts'
import { EXPORT_TABLES } from './export/tables.ts'
import type { Connection } from './connection/connection.ts'
import { openConnection } from './open-connection.ts'
import { createJournalReader, type JournalReader } from './journal/reader.ts'
import { inBookAmounts } from './tables/book-amounts.ts'
import { HAS_BOOK_AMOUNTS_SINCE, newerStore, OLDEST_READABLE, SCHEMA_VERSION } from './schema.ts'
import { readFrom, type StoreFailure } from './failure.ts'
import { placeText, type StorePlace } from './place.ts'

/** A store opened for reading, even while a daemon has it open. Its methods throw StoreReadError. */
export type StoreReader = JournalReader &
  DayReader & {
    /** Rows for export from event `fromSeq` on (default: all), oldest first, with the columns of `EXPORT_TABLES`. */
    readonly rows: (what: ExportKind, fromSeq?: number) => Iterable<ExportRow>
    readonly close: () => void
  }

const BUSY_TIMEOUT_MS = 5_000
/** Reads by page, so that a slow consumer holds no transaction open and the daemon's log does not grow. */
const PAGE_ROWS = 500

/** Opens a store read-only. Errors if it is missing, damaged or newer than this program. */
export function openReader(place: StorePlace): Result<StoreReader, StoreFailure> {
  const opened = openConnection(place, BUSY_TIMEOUT_MS)
  if (!opened.ok) return opened
  const db = opened.value
  if (db === null) return err(noStore(place))
  let failure: StoreFailure
  try {
    const version = db.version()
    if (version >= OLDEST_READABLE && version <= SCHEMA_VERSION) return ok(createReader(db))
    failure = version > SCHEMA_VERSION ? newerStore(place, version) : noStore(place)
  } catch (error) {
    failure = db.failureOf(error)
  }
  db.close()
  return err(failure)
}

function createReader(db: Connection): StoreReader {
  return {
    ...createJournalReader(db),
    ...createDayReader(db),
    rows: (what, fromSeq = 0) => readRows(db, what, fromSeq),
    close: db.close,
  }
}

function* readRows(db: Connection, what: ExportKind, fromSeq: number): Generator<ExportRow> {
  const table = EXPORT_TABLES[what]
  const version = readFrom(db, db.version)
  if (version < (table.since ?? 0)) return
  const damaged = {
    failureOf: (error: unknown) => db.corrupt(`a row was not written by mizani: ${String(error)}`),
  }
  let after: readonly [number, number, number] = [fromSeq, -1, -1]
  for (;;) {
    const page = readFrom(db, () => db.prepare(table.page).all(...after, PAGE_ROWS))
    for (const row of page) {
      after = [Number(row['seq']), Number(row['n']), Number(row['p'])]
      yield* readFrom(damaged, () =>
        table.rowsOf(version < HAS_BOOK_AMOUNTS_SINCE ? inBookAmounts(row) : row),
      )
    }
    if (page.length < PAGE_ROWS) return
  }
}

function noStore(place: StorePlace): StoreFailure {
  return {
    kind: 'io',
    message: `there is no store in ${placeText(place)}: check ${typeof place === 'string' ? 'store.path' : 'store.postgres'} in the configuration, or start the daemon once`,
  }
}
