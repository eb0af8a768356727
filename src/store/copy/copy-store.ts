import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../../base/result.ts'
import type { Connection } from '../connection/connection.ts'
import { openConnection } from '../open-connection.ts'
import { readFrom, type StoreFailure, storeFailureOf, StoreReadError } from '../failure.ts'
import { openStore, type StoreOptions } from '../journal/open-store.ts'
import { folderOf, placeText, type PostgresPlace, type StorePlace } from '../place.ts'
import { postgresFailureOf } from '../postgres/failure.ts'
import { migrateStore } from '../schema.ts'
import { storeFiles, strandedLog } from '../store-files.ts'
import { type RowWriter, writePostgres, writeSqlite } from './row-writers.ts'
import {
  createSumming,
  readPages,
  sumOf,
  type StoredTable,
  TABLE_NAMES,
  type TableSum,
} from './stored-rows.ts'

type StoreCopy = {
  /** The number of the last event. */
  readonly lastSeq: number
  readonly tables: Readonly<Record<StoredTable, TableSum>>
}

export type CopyOptions = Pick<StoreOptions, 'terms' | 'thread'> & {
  /** Called with the rows copied since the last call, and the number of all rows. */
  readonly onRows?: (rows: number, all: number) => void
}

const QUERY_MS = 30_000

/**
 * Copies a position with all its tables from a folder to PostgreSQL, or from PostgreSQL to a folder or another
 * database. The target must be empty, nothing may write to either meanwhile, and a failed copy leaves nothing behind.
 * Rereads and compares every row. Migrates the source's tables to this version and changes nothing else in it.
 */
export async function copyStore(
  from: StorePlace,
  to: StorePlace,
  options: CopyOptions = {},
): Promise<Result<StoreCopy, StoreFailure>> {
  const stranded = typeof to === 'string' ? strandedLog(to) : null
  if (stranded !== null) return err({ kind: 'io', message: stranded })
  const opened = await openStore(to, options)
  if (!opened.ok) return opened
  const target = opened.value
  try {
    if (target.durableSeq() > 0 || target.treasury.lastSeq() > 0) return err(isTaken(to))
    const source = await holdSource(from, folderOf(to), options)
    if (!source.ok) return source
    try {
      return await copyRows(from, to, options.onRows ?? (() => undefined))
    } finally {
      await source.value()
    }
  } finally {
    await target.close()
  }
}

type LetGo = () => Promise<void>

/** Locks daemons out of the source, and migrates its tables to this version. */
async function holdSource(
  from: StorePlace,
  heldFolder: string,
  options: CopyOptions,
): Promise<Result<LetGo, StoreFailure>> {
  if (typeof from !== 'string') return holdPostgres(from, options)
  const { database } = storeFiles(from)
  if (!existsSync(database)) return err({ kind: 'io', message: `there is no store in ${from}` })
  if (from !== heldFolder) {
    const opened = await openStore(from)
    return opened.ok ? ok(opened.value.close) : opened
  }
  // The target locks this same folder.
  const db = new DatabaseSync(database)
  try {
    const migrated = await migrateStore(db, from)
    return migrated.ok ? ok(() => Promise.resolve()) : migrated
  } finally {
    db.close()
  }
}

async function holdPostgres(from: PostgresPlace, options: CopyOptions): Promise<Result<LetGo, StoreFailure>> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-copy-'))
  const opened = await openStore({ ...from, folder }, options)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  if (!opened.ok) {
    remove()
    return opened
  }
  return ok(() => opened.value.close().then(remove))
}

async function copyRows(
  from: StorePlace,
  to: StorePlace,
  onRows: (rows: number, all: number) => void,
): Promise<Result<StoreCopy, StoreFailure>> {
  const source = connect(from)
  if (!source.ok) return source
  const sums = new Map<StoredTable, TableSum>()
  const writeAll = async (write: RowWriter): Promise<void> => {
    const all = countRows(source.value)
    for (const table of TABLE_NAMES) {
      const summing = createSumming()
      for (const page of readPages(source.value, table)) {
        summing.add(page)
        await write(table, page)
        onRows(page.length, all)
      }
      sums.set(table, summing.sum())
    }
  }
  try {
    await (typeof to === 'string' ? writeSqlite(to, writeAll) : writePostgres(to, writeAll))
    return compare(to, Object.fromEntries(sums) as StoreCopy['tables'])
  } catch (error) {
    if (error instanceof StoreReadError) return err(error.failure)
    return err(typeof to === 'string' ? storeFailureOf(error, to) : postgresFailureOf(error, to))
  } finally {
    source.value.close()
  }
}

/** Throws StoreReadError. */
function compare(to: StorePlace, tables: StoreCopy['tables']): Result<StoreCopy, StoreFailure> {
  const copy = connect(to)
  if (!copy.ok) return copy
  const db = copy.value
  try {
    const differing = TABLE_NAMES.filter((table) => sumOf(db, table).sha256 !== tables[table].sha256)
    if (differing.length > 0)
      return err(db.corrupt(`the copy of ${differing.join(', ')} differs from the original`))
    const last = readFrom(db, () => db.prepare('SELECT max(seq) AS last FROM journal').get())
    return ok({ lastSeq: Number(last?.['last'] ?? 0), tables })
  } finally {
    db.close()
  }
}

function countRows(db: Connection): number {
  const counts = TABLE_NAMES.map((table) => `(SELECT count(*) FROM ${table})`)
  return Number(readFrom(db, () => db.prepare(`SELECT ${counts.join(' + ')} AS n`).get())?.['n'])
}

function connect(place: StorePlace): Result<Connection, StoreFailure> {
  const opened = openConnection(place, QUERY_MS)
  if (!opened.ok) return opened
  if (opened.value !== null) return ok(opened.value)
  return err({ kind: 'io', message: `there is no store in ${placeText(place)}` })
}

function isTaken(to: StorePlace): StoreFailure {
  const how = typeof to === 'string' ? 'move mizani.db and the files beside it away' : 'rename its schema'
  return {
    kind: 'io',
    message: `${placeText(to)} already holds a position, which a copy never overwrites: ${how} and keep it, then try again`,
  }
}
