import type { PostgresPlace } from '../../place.ts'
import { openPostgres } from './connection.ts'

const QUERY_MS = 5_000

const IDENTITY = `SELECT system_identifier::text AS cluster, mizani.timeline() AS timeline, 'journal'::regclass::oid::text AS made
  FROM pg_control_system()`

/** Stays while a position is written to, and differs after a restored backup and after a fail-over. Throws. */
export function postgresIdentity(place: PostgresPlace): string {
  const db = openPostgres(place, QUERY_MS)
  const { cluster, timeline, made } = db.prepare(IDENTITY).get() ?? {}
  return `${String(cluster)} ${String(timeline)} ${String(made)}\n`
}
