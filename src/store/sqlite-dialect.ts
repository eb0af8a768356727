import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { SqliteDialect } from 'kysely'

/** Lets Kysely work on a connection of node:sqlite, which stays the caller's to close. */
export function sqliteDialect(db: DatabaseSync): SqliteDialect {
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
