import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Version 3. What operators did, each row with the hash of the one before it. */
export const operatorActions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('operator_actions')
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('n', 'integer', (column) => column.notNull())
      .addColumn('t', 'integer', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('previous', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('operator_actions_key', ['seq', 'n'])
      .execute()
    // What operators did before is in the journal, without a chain.
    await sql`INSERT INTO meta (key, value) SELECT 'actionsSince', coalesce(max(seq), 0) FROM journal`.execute(
      db,
    )
    await sql`PRAGMA user_version = 3`.execute(db)
  },
}
