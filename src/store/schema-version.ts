import type { DatabaseSync } from 'node:sqlite'
import type { StoreFailure } from './store.ts'

/** What this build writes and reads. Every migration leaves its number in SQLite's `user_version`. */
export const SCHEMA_VERSION = 3

/** What was written since this one can be exported and replayed as it is: later ones only add tables. */
export const OLDEST_READABLE = 1

/** 0 = no tables yet. */
export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
}

export function newerStore(folder: string, version: number): StoreFailure {
  return {
    kind: 'newer-version',
    message:
      `the store in ${folder} has version ${version} and this mizani knows versions up to ${SCHEMA_VERSION}: ` +
      'start the newer mizani that wrote it, or use another store',
  }
}
