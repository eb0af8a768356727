import type { PostgresPlace } from '../../place.ts'
import { openPostgres } from './connection.ts'

const QUERY_MS = 5_000

/** An additional column for queries of the position's tables. */
export const ORIGIN = `(SELECT concat_ws(' ', system_identifier, mizani.timeline(), 'journal'::regclass::oid) FROM pg_control_system())`

/** Stays equal while a position is written to, and differs after a restored backup and after a fail-over. Throws. */
export function postgresIdentity(place: PostgresPlace): string {
  const db = openPostgres(place, QUERY_MS)
  return `${String(db.prepare(`SELECT ${ORIGIN} AS origin`).get()?.['origin'])}\n`
}
