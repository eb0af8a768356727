import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Pool } from 'pg'
import { schemaOf, type PostgresPlace } from '../place.ts'
import { type ColumnTypes, migrationsFor } from './tables.ts'

/**
 * Migrates a position's tables to this version, in one transaction and one process at a time. The caller closes the
 * pool. Throws PostgreSQL's errors.
 */
export async function migratePostgres(pool: Pool, place: PostgresPlace): Promise<void> {
  const { error } = await postgresMigrator(pool, place).migrateToLatest()
  if (error !== undefined) throw error
}

export function postgresMigrator(pool: Pool, place: PostgresPlace): Migrator {
  const schema = schemaOf(place)
  const types: ColumnTypes = {
    integer: 'bigint',
    real: 'double precision',
    json: 'json',
    begin: sql`SET LOCAL search_path TO ${sql.id(schema)}`,
    setVersion: (version) =>
      sql`INSERT INTO meta VALUES ('schemaVersion', ${String(version)})
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  }
  return new Migrator({
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
    provider: { getMigrations: () => Promise.resolve(migrationsFor(types)) },
    migrationTableSchema: schema,
  })
}
