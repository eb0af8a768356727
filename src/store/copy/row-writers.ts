import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { placeText, type PostgresPlace } from '../place.ts'
import { lookAt, underFence } from '../postgres/fence.ts'
import { openPool, sendMessage } from '../postgres/pool.ts'
import { insertRows } from '../postgres/statements.ts'
import { storeFiles } from '../store-files.ts'
import type { Cell } from '../tables/rows.ts'
import { OWN_ROWS, type StoredTable, TABLE_NAMES } from './stored-rows.ts'

/** Writes rows unchanged, in one transaction for the whole copy. */
export type RowWriter = (table: StoredTable, rows: readonly (readonly Cell[])[]) => Promise<void>

const QUERY_MS = 60_000
/** Removes the new store's own meta rows; the copied ones replace them. */
const EMPTY_META = `DELETE FROM meta WHERE ${OWN_ROWS}`

/** Runs `work` in one transaction of a database that this process has locked. Throws SQLite's errors. */
export async function writeSqlite(folder: string, work: (write: RowWriter) => Promise<void>): Promise<void> {
  const db = new DatabaseSync(storeFiles(folder).database)
  const known = new Map<StoredTable, StatementSync>()
  const prepared = (table: StoredTable, columns: number): StatementSync => {
    const places = Array.from({ length: columns }, () => '?').join(', ')
    const statement = known.get(table) ?? db.prepare(`INSERT INTO ${table} VALUES (${places})`)
    known.set(table, statement)
    return statement
  }
  try {
    db.exec(`BEGIN IMMEDIATE; ${EMPTY_META}`)
    await work((table, rows) => {
      for (const row of rows) prepared(table, row.length).run(...row)
      return Promise.resolve()
    })
    db.exec('COMMIT')
  } finally {
    // Closing without a commit rolls the transaction back.
    db.close()
  }
}

/**
 * Runs `work` in one transaction of a position that this process holds. It shares the fence until its end, so a
 * takeover waits for it. Throws PostgreSQL's errors.
 */
export async function writePostgres(
  place: PostgresPlace,
  work: (write: RowWriter) => Promise<void>,
): Promise<void> {
  const pool = openPool(place.url, 1)
  try {
    const [seen] = await sendMessage(pool, [lookAt(place)], QUERY_MS)
    const n = Number(seen?.rows[0]?.['n'])
    const client = await pool.connect()
    try {
      const empty = TABLE_NAMES.filter((table) => table !== 'meta').map(isEmpty)
      const begun = await client.query(['BEGIN', ...underFence(place, n), EMPTY_META, ...empty].join(';\n'))
      const results = begun as unknown as readonly { readonly rows: readonly unknown[] }[]
      if (results.slice(-empty.length).some(({ rows }) => rows.length > 0))
        throw new Error(`${placeText(place)} was written to while it was copied to`)
      await work(async (table, rows) => void (await client.query(insertRows(table, rows))))
      await client.query('COMMIT')
    } finally {
      // Releasing without a commit rolls the transaction back.
      client.release(true)
    }
  } finally {
    await pool.end()
  }
}

const isEmpty = (table: StoredTable): string => `SELECT 1 FROM ${table} LIMIT 1`
