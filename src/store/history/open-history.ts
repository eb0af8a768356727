import { err, ok, type Result } from '../../base/result.ts'
import type { Connection } from '../connection/connection.ts'
import { openConnection } from '../open-connection.ts'
import type { StoreFailure } from '../failure.ts'
import { placeText, type StorePlace } from '../place.ts'
import { newerStore, SCHEMA_VERSION } from '../schema.ts'
import { sampleReader, type SampleReader } from '../tables/samples.ts'
import { fillReader, type FillReader } from './fill-reader.ts'
import { noticeReader, type NoticeReader } from './notice-reader.ts'

/**
 * Read access for charts and lists, over a separate read-only connection. Every call is short: it seeks by index and
 * leaves no transaction open. Each throws the database's errors.
 */
export type HistoryReader = SampleReader & FillReader & NoticeReader & { readonly close: () => void }

const BUSY_TIMEOUT_MS = 1_000

/** Opens a store for charts and lists while a daemon has it open. */
export function openHistory(place: StorePlace): Result<HistoryReader, StoreFailure> {
  const nothing: StoreFailure = { kind: 'io', message: `there is no store in ${placeText(place)} yet` }
  const opened = openConnection(place, BUSY_TIMEOUT_MS)
  if (!opened.ok) return opened
  const db = opened.value
  if (db === null) return err(nothing)
  try {
    const version = db.version()
    if (version === SCHEMA_VERSION) return ok(createHistory(db))
    db.close()
    return err(version > SCHEMA_VERSION ? newerStore(place, version) : nothing)
  } catch (error) {
    db.close()
    return err(db.failureOf(error))
  }
}

function createHistory(db: Connection): HistoryReader {
  return { ...sampleReader(db), ...fillReader(db), ...noticeReader(db), close: db.close }
}
