import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../../base/result.ts'
import { type StoreFailure, storeFailureOf } from '../failure.ts'
import { newerStore, schemaVersion, SCHEMA_VERSION } from '../schema.ts'
import { storeFiles } from '../store-files.ts'
import { sampleReader, type SampleReader } from '../tables/samples.ts'
import { fillReader, type FillReader } from './fill-reader.ts'
import { noticeReader, type NoticeReader } from './notice-reader.ts'

/**
 * What charts and lists read of a store, over a connection of its own that only reads. Every call is short:
 * it seeks by index and holds no transaction afterwards. Each throws SQLite's errors.
 */
export type HistoryReader = SampleReader & FillReader & NoticeReader & { readonly close: () => void }

const BUSY_TIMEOUT_MS = 1_000

/** Opens the store in `folder` for charts and lists; a daemon has it open beside. */
export function openHistory(folder: string): Result<HistoryReader, StoreFailure> {
  const { database } = storeFiles(folder)
  const nothing: StoreFailure = { kind: 'io', message: `there is no store in ${folder} yet` }
  if (!existsSync(database)) return err(nothing)
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(database, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    const version = schemaVersion(db)
    if (version === SCHEMA_VERSION) return ok(createHistory(db))
    db.close()
    return err(version > SCHEMA_VERSION ? newerStore(folder, version) : nothing)
  } catch (error) {
    db?.close()
    return err(storeFailureOf(error, folder))
  }
}

function createHistory(db: DatabaseSync): HistoryReader {
  return { ...sampleReader(db), ...fillReader(db), ...noticeReader(db), close: () => db.close() }
}
