import type { DatabaseSync } from 'node:sqlite'
import { type StoreFailure, storeFailureOf } from './failure.ts'
import { err, ok, type Result } from '../base/result.ts'
import { sqliteVersion } from './connection/sqlite.ts'
import { placeText, type StorePlace } from './place.ts'

/**
 * The version that this build writes and reads. Every migration stores its number: SQLite in `user_version`, PostgreSQL
 * in `meta`.
 */
export const SCHEMA_VERSION = 6

/** Stores since this version can be exported and replayed: `inBookAmounts` converts the amounts of older rows. */
export const OLDEST_READABLE = 1

/** The first version with treasury tables. */
export const HAS_TREASURY_SINCE = 5

/** The first version with book amounts; earlier ones count each token in its own units. */
export const HAS_BOOK_AMOUNTS_SINCE = 6

export function newerStore(place: StorePlace, version: number): StoreFailure {
  return {
    kind: 'newer-version',
    message:
      `the store in ${placeText(place)} has version ${version} and this mizani knows versions up to ${SCHEMA_VERSION}: ` +
      'start the newer mizani that wrote it, or use another store',
  }
}

/**
 * Migrates the tables to this version in one transaction, or refuses a store of a newer mizani. A current store costs
 * one query, and Kysely is not loaded.
 */
export async function migrateStore(db: DatabaseSync, folder: string): Promise<Result<null, StoreFailure>> {
  const version = sqliteVersion(db)
  if (version > SCHEMA_VERSION) return err(newerStore(folder, version))
  if (version === SCHEMA_VERSION) return ok(null)
  const { createMigrator } = await import('./migrations/sqlite.ts')
  // Kysely migrates SQLite without a transaction, so a kill in between would leave half a migration.
  db.exec('BEGIN IMMEDIATE')
  const { error } = await createMigrator(db).migrateToLatest()
  if (error === undefined) {
    db.exec('COMMIT')
    return ok(null)
  }
  // SQLite ends the transaction itself on some errors (a full disk among them).
  if (db.isTransaction) db.exec('ROLLBACK')
  return err(storeFailureOf(error, folder))
}
