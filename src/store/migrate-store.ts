import type { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../base/result.ts'
import { newerStore, schemaVersion, SCHEMA_VERSION } from './schema-version.ts'
import { storeFailureOf } from './store-failure-of.ts'
import type { StoreFailure } from './store.ts'

/**
 * Brings the tables to this version in one transaction, or refuses a store that a newer mizani wrote. A
 * store that is up to date costs one look: Kysely is not even loaded.
 */
export async function migrateStore(db: DatabaseSync, folder: string): Promise<Result<null, StoreFailure>> {
  const version = schemaVersion(db)
  if (version > SCHEMA_VERSION) return err(newerStore(folder, version))
  if (version === SCHEMA_VERSION) return ok(null)
  const { Kysely } = await import('kysely')
  const { Migrator } = await import('kysely/migration')
  const { firstTables } = await import('./migrations/first-tables.ts')
  const { operatorActions } = await import('./migrations/operator-actions.ts')
  const { samples } = await import('./migrations/samples.ts')
  const { sqliteDialect } = await import('./sqlite-dialect.ts')
  const migrations = {
    '0001-first-tables': firstTables,
    '0002-samples': samples,
    '0003-operator-actions': operatorActions,
  }
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: sqliteDialect(db) }),
    provider: { getMigrations: () => Promise.resolve(migrations) },
  })
  // Kysely runs migrations of SQLite without a transaction: a process killed in between would leave half of one.
  db.exec('BEGIN IMMEDIATE')
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) {
    db.exec('COMMIT')
    return ok(null)
  }
  // SQLite ends the transaction itself on some errors (a full disk among them).
  if (db.isTransaction) db.exec('ROLLBACK')
  return err(storeFailureOf(error, folder))
}
