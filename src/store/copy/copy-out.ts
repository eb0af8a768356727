import { escapeIdentifier, type PoolClient } from 'pg'
import { err, ok, type Result } from '../../base/result.ts'
import { openConnection } from '../open-connection.ts'
import { type StoreFailure, storeFailureOf, StoreReadError } from '../failure.ts'
import { openStore } from '../journal/open-store.ts'
import { placeText, type PostgresPlace, schemaOf } from '../place.ts'
import { codeOf, NOT_READ, postgresFailureOf } from '../postgres/failure.ts'
import { openPool } from '../postgres/pool.ts'
import { NO_SUCH_TABLE } from '../postgres/read-leases.ts'
import { newerStore, SCHEMA_VERSION } from '../schema.ts'
import { type RowWriter, writeSqlite } from './row-writers.ts'
import {
  createSumming,
  pagingOf,
  type StoredTable,
  sumOf,
  TABLE_NAMES,
  type TableSum,
} from './stored-rows.ts'

const QUERY_MS = 60_000
const VERSION = `SELECT value FROM meta WHERE key = 'schemaVersion'`

/**
 * Copies a position out of PostgreSQL into a new folder, consistent at one moment, in one read-only transaction;
 * daemons continue to write and no lease is affected. Rereads and compares the copy. Awaits `onRows` after each page
 * with its number of rows.
 */
export async function copyOut(
  from: PostgresPlace,
  folder: string,
  onRows: OnRows = () => undefined,
): Promise<Result<void, StoreFailure>> {
  if (from.url === '') return err(postgresFailureOf(new Error(NOT_READ), from))
  const opened = await openStore(folder)
  if (!opened.ok) return opened
  try {
    const sums = await copyRows(from, folder, onRows)
    return sums.ok ? compare(folder, sums.value) : sums
  } finally {
    await opened.value.close()
  }
}

type Sums = ReadonlyMap<StoredTable, TableSum>
type OnRows = (rows: number) => void | Promise<void>

async function copyRows(
  from: PostgresPlace,
  folder: string,
  onRows: OnRows,
): Promise<Result<Sums, StoreFailure>> {
  const pool = openPool(from.url, 1)
  try {
    const client = await pool.connect()
    try {
      const schema = escapeIdentifier(schemaOf(from))
      await client.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL search_path TO ${schema}; SET LOCAL statement_timeout = ${QUERY_MS}`,
      )
      const { rows } = await client.query<{ value: unknown }>(VERSION)
      const version = Number(rows[0]?.value ?? 0)
      if (version > SCHEMA_VERSION) return err(newerStore(from, version))
      if (version < SCHEMA_VERSION) return err(olderStore(from))
      const sums = new Map<StoredTable, TableSum>()
      await writeSqlite(folder, async (write) => {
        for (const table of TABLE_NAMES) sums.set(table, await copyTable(client, table, write, onRows))
      })
      await client.query('COMMIT')
      return ok(sums)
    } finally {
      client.release(true)
    }
  } catch (error) {
    return err(failureOf(error, from, folder))
  } finally {
    await pool.end()
  }
}

async function copyTable(
  client: PoolClient,
  table: StoredTable,
  write: RowWriter,
  onRows: OnRows,
): Promise<TableSum> {
  const { sql, first, take } = pagingOf(table)
  const summing = createSumming()
  let count = 0
  const numbered = sql.replaceAll('?', () => `$${++count}`)
  for (let at: readonly number[] | null = first; at !== null;) {
    const { rows } = await client.query<Record<string, unknown>>(numbered, [...at])
    const { page, after } = take(rows)
    summing.add(page)
    await write(table, page)
    await onRows(page.length)
    at = after
  }
  return summing.sum()
}

function failureOf(error: unknown, from: PostgresPlace, folder: string): StoreFailure {
  if (error instanceof Error && 'errcode' in error) return storeFailureOf(error, folder)
  if (!NO_SUCH_TABLE.includes(codeOf(error))) return postgresFailureOf(error, from)
  const message = `there is no store in ${placeText(from)}: check store.postgres in the configuration, or start the daemon once`
  return { kind: 'io', message }
}

function compare(folder: string, sums: Sums): Result<void, StoreFailure> {
  const opened = openConnection(folder, QUERY_MS)
  if (!opened.ok) return opened
  const db = opened.value
  if (db === null) return err({ kind: 'io', message: `the copy in ${folder} was removed` })
  try {
    const differing = TABLE_NAMES.filter((table) => sumOf(db, table).sha256 !== sums.get(table)?.sha256)
    if (differing.length === 0) return ok(undefined)
    return err(db.corrupt(`the copy of ${differing.join(', ')} differs from the original`))
  } catch (error) {
    if (error instanceof StoreReadError) return err(error.failure)
    throw error
  } finally {
    db.close()
  }
}

function olderStore(from: PostgresPlace): StoreFailure {
  const message = `the store in ${placeText(from)} is of an earlier version: start a daemon of this version on it first`
  return { kind: 'io', message }
}
