import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Version 2. A row a minute of what charts show, in whole tokens and plain numbers: nothing is booked or
 * decided from it, and a year of exact texts would be five times as large. `t` is the row's own number, so
 * that a range of time is a range of the table. The indexes are for what charts and lists ask for by time.
 */
export const samples: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('samples')
      .addColumn('t', 'integer', (column) => column.primaryKey())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('mid', 'real')
      .addColumn('fair_value', 'real')
      .addColumn('bid_bps', 'integer')
      .addColumn('ask_bps', 'integer')
      .addColumn('best_bid_bps', 'integer')
      .addColumn('best_ask_bps', 'integer')
      .addColumn('ntzs', 'real')
      .addColumn('usdc', 'real')
      .addColumn('usdt', 'real')
      .addColumn('usdt_bnb', 'real')
      .addColumn('posted_spread', 'real')
      .addColumn('stale_mid', 'real')
      .addColumn('inventory', 'real')
      .addColumn('costs', 'real')
      .addColumn('unexplained', 'real')
      .addColumn('total_usd', 'real')
      .execute()
    await db.schema.createIndex('rates_by_time').on('rates').column('t').execute()
    await db.schema.createIndex('fills_by_time').on('fills').columns(['posted_at', 'side']).execute()
    await db.schema.createIndex('notices_by_type').on('notices').columns(['type', 't']).execute()
    await sql`PRAGMA user_version = 2`.execute(db)
  },
}
