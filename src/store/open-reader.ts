import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../base/result.ts'
import { createDayReader, type DayReader } from './export/day-reader.ts'
import type { ExportKind, ExportRow } from './export/kinds.ts'
import { EXPORT_TABLES } from './export/tables.ts'
import { createJournalReader, type JournalReader } from './journal/reader.ts'
import { newerStore, OLDEST_READABLE, schemaVersion, SCHEMA_VERSION } from './schema.ts'
import { corruptStore, readOrThrow, type StoreFailure, storeFailureOf } from './failure.ts'
import { storeFiles } from './store-files.ts'

/** A store opened for reading, whether or not a daemon has it open. Its methods throw StoreReadError. */
export type StoreReader = JournalReader &
  DayReader & {
    /** Rows for people from event `fromSeq` on (default: all), oldest first; the columns are those of `EXPORT_TABLES`. */
    readonly rows: (what: ExportKind, fromSeq?: number) => Iterable<ExportRow>
    readonly close: () => void
  }

const BUSY_TIMEOUT_MS = 5_000
/** A page at a time: a slow consumer holds no transaction open, so the daemon's log does not grow. */
const PAGE_ROWS = 500

/** Opens the store in `folder` read-only; fails where there is none, or a newer or damaged one. */
export function openReader(folder: string): Result<StoreReader, StoreFailure> {
  const { database } = storeFiles(folder)
  if (!existsSync(database)) return err(noStore(folder))
  let db: DatabaseSync | null = null
  let failure: StoreFailure
  try {
    db = new DatabaseSync(database, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    const version = schemaVersion(db)
    if (version >= OLDEST_READABLE && version <= SCHEMA_VERSION) return ok(createReader(db, folder))
    failure = version > SCHEMA_VERSION ? newerStore(folder, version) : noStore(folder)
  } catch (error) {
    failure = storeFailureOf(error, folder)
  }
  db?.close()
  return err(failure)
}

function createReader(db: DatabaseSync, folder: string): StoreReader {
  return {
    ...createJournalReader(db, folder),
    ...createDayReader(db, folder),
    rows: (what, fromSeq = 0) => readRows(db, folder, what, fromSeq),
    close: () => db.close(),
  }
}

function* readRows(
  db: DatabaseSync,
  folder: string,
  what: ExportKind,
  fromSeq: number,
): Generator<ExportRow> {
  const table = EXPORT_TABLES[what]
  if (readOrThrow(folder, () => schemaVersion(db)) < (table.since ?? 0)) return
  let after: readonly [number, number, number] = [fromSeq, -1, -1]
  for (;;) {
    const page = readOrThrow(folder, () => db.prepare(table.page).all(...after, PAGE_ROWS))
    for (const row of page) {
      after = [Number(row['seq']), Number(row['n']), Number(row['p'])]
      yield readOrThrow(folder, () => table.rowOf(row), damagedRow)
    }
    if (page.length < PAGE_ROWS) return
  }
}

function damagedRow(error: unknown, folder: string): StoreFailure {
  return corruptStore(folder, `a row is not what mizani writes: ${String(error)}`)
}

function noStore(folder: string): StoreFailure {
  return {
    kind: 'io',
    message: `there is no store in ${folder}: check store.path in the configuration, or start the daemon once`,
  }
}
