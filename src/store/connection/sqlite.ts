import { existsSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { keepNewest } from '../../base/bounded-map.ts'
import type { Ms } from '../../base/time.ts'
import { corruptStore, storeFailureOf } from '../failure.ts'
import { storeFiles } from '../store-files.ts'
import type { Connection, Dialect, Query } from './connection.ts'

export const SQLITE: Dialect = {
  field: (column, name) => `CAST(${column} ->> '${name}' AS TEXT)`,
  countBroken: (column) => `sum(NOT json_valid(${column}))`,
  samplesAt: null,
}

/** Each number of placeholders needs a separate statement. */
const MOST_PREPARED = 64

/** Opens the database in `folder` for reading; null if none exists. Throws SQLite's errors. */
export function openSqlite(folder: string, busyTimeoutMs: Ms): Connection | null {
  const { database } = storeFiles(folder)
  if (!existsSync(database)) return null
  return sqliteConnection(new DatabaseSync(database, { readOnly: true, timeout: busyTimeoutMs }), folder)
}

/** Reads over the caller's connection. */
export function sqliteConnection(db: DatabaseSync, folder: string): Connection {
  const known = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync =>
    keepNewest(known, sql, known.get(sql) ?? db.prepare(sql), MOST_PREPARED)
  return {
    prepare(sql): Query {
      const statement = prepared(sql)
      return {
        all: (...values) => statement.all(...values),
        get: (...values) => statement.get(...values),
      }
    },
    dialect: SQLITE,
    version: () => sqliteVersion(db),
    where: folder,
    failureOf: (error) => storeFailureOf(error, folder),
    corrupt: (reason) => corruptStore(folder, reason),
    close: () => db.close(),
  }
}

/** Returns the version that migrations store in the file's header; 0 = no tables yet. */
export function sqliteVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
}
