import { err, ok, type Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import { type StoreFailure, storeFailureOf } from './failure.ts'
import type { StorePlace } from './place.ts'
import { openPostgres } from './postgres/reading/connection.ts'
import type { Connection } from './connection/connection.ts'
import { openSqlite } from './connection/sqlite.ts'

/** Opens a store of any version for reading; null if none exists. `patienceMs` limits one query. */
export function openConnection(place: StorePlace, patienceMs: Ms): Result<Connection | null, StoreFailure> {
  if (typeof place !== 'string') return ok(openPostgres(place, patienceMs))
  try {
    return ok(openSqlite(place, patienceMs))
  } catch (error) {
    return err(storeFailureOf(error, place))
  }
}
