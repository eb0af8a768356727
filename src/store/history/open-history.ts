import { type FillCount, type FillRange, fillReader, type FillRow } from './fill-reader.ts'
import { type Place } from '../store.ts'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { noticeReader, type NoticeRecord } from './notice-reader.ts'
import { sampleReader, type SampleRow } from '../tables/samples.ts'
import { newerStore, schemaVersion, SCHEMA_VERSION } from '../schema.ts'
import { type StoreFailure, storeFailureOf } from '../failure.ts'
import { storeFiles } from '../store-files.ts'

/**
 * What charts and lists read of a store, over a connection of its own that only reads. Every call is short:
 * it seeks by index and holds no transaction afterwards. They throw SQLite's errors.
 */
export type HistoryReader = {
  /** For each moment the last sample at or before it that is not older than `maxAgeMs`. */
  readonly samplesAt: (moments: readonly Ms[], maxAgeMs: Ms) => readonly (SampleRow | null)[]
  /** Moment of the first sample; null = none. */
  readonly firstSample: () => Ms | null
  /** Fills booked in [from, to], counted per step of `stepMs` that ends at `end`, `end` + step ... */
  readonly countFills: (range: FillRange) => readonly FillCount[]
  /** Newest first, those before the place; null = from the newest. */
  readonly fills: (before: Place | null, limit: number) => readonly FillRow[]
  /** The mid that was known at a moment, and since when; null = none yet. */
  readonly midAt: (t: Ms) => { readonly mid: bigint; readonly since: Ms } | null
  /** Newest first, those before the place, of these types; none named = of all. */
  readonly notices: (before: Place | null, types: readonly string[], limit: number) => readonly NoticeRecord[]
  /** Changes to and from HALTED, and reloads, within [from, to], the newest ones, oldest first. */
  readonly marks: (from: Ms, to: Ms, limit: number) => readonly NoticeRecord[]
  readonly close: () => void
}

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
