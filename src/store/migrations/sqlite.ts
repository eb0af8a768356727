import { Kysely, sql, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type ColumnTypes, migrationsFor } from './tables.ts'

const TYPES: ColumnTypes = {
  integer: 'integer',
  real: 'real',
  json: 'text',
  begin: null,
  setVersion: (version) => sql.raw(`PRAGMA user_version = ${version}`),
}

export function createMigrator(db: DatabaseSync): Migrator {
  return new Migrator({
    db: new Kysely<unknown>({ dialect: sqliteDialect(db) }),
    provider: { getMigrations: () => Promise.resolve(migrationsFor(TYPES)) },
  })
}

/** Lets Kysely use a connection of node:sqlite, which the caller closes. */
function sqliteDialect(db: DatabaseSync): SqliteDialect {
  return new SqliteDialect({
    database: {
      close: () => undefined,
      prepare(sql) {
        const statement = db.prepare(sql)
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...(parameters as readonly SQLInputValue[])),
          run: (parameters) => statement.run(...(parameters as readonly SQLInputValue[])),
          iterate: (parameters) => statement.iterate(...(parameters as readonly SQLInputValue[])),
        }
      },
    },
  })
}
