import { Kysely, sql, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/**
 * Version 1. The journal is the truth; `fills` and the tables after it are projections of what the core
 * observed, keyed by the event's number and the observation's place in it. Amounts are TEXT in base units:
 * SQLite's integers end at 9.2 tokens of 18 decimals. Times are milliseconds since the epoch.
 */
const firstTables: Migration = {
  async up(db: Kysely<unknown>) {
    await createMemory(db)
    await createFills(db)
    await createLedger(db)
    await createMarket(db)
    await sql`PRAGMA user_version = 1`.execute(db)
  },
}

async function createMemory(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('journal')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('t', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('snapshots')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('t', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('suspensions')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('reason', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('meta')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

/** A table whose rows are known by event and place. */
function projection(db: Kysely<unknown>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('n', 'integer', (column) => column.notNull())
}

async function createFills(db: Kysely<unknown>): Promise<void> {
  await projection(db, 'fills')
    .addColumn('venue_id', 'text', (column) => column.notNull().unique())
    .addColumn('side', 'text', (column) => column.notNull())
    .addColumn('in_asset', 'text', (column) => column.notNull())
    .addColumn('amount_in', 'text', (column) => column.notNull())
    .addColumn('out_asset', 'text', (column) => column.notNull())
    .addColumn('amount_out', 'text', (column) => column.notNull())
    .addColumn('fee', 'text', (column) => column.notNull())
    .addColumn('fee_source', 'text', (column) => column.notNull())
    .addColumn('earned_text', 'text')
    .addColumn('mid_at_fill', 'text')
    .addColumn('formula', 'text', (column) => column.notNull())
    .addColumn('volume_usd', 'text', (column) => column.notNull())
    .addColumn('tx_hash', 'text')
    .addColumn('created_at', 'integer')
    .addColumn('posted_at', 'integer', (column) => column.notNull())
    .addColumn('raw', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('fills_key', ['seq', 'n'])
    .execute()
  await projection(db, 'quarantine')
    .addColumn('t', 'integer', (column) => column.notNull())
    .addColumn('venue_id', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('raw', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('quarantine_key', ['seq', 'n'])
    .execute()
}

async function createLedger(db: Kysely<unknown>): Promise<void> {
  await projection(db, 'ledger_entries')
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('t', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('fill_id', 'text')
    .addPrimaryKeyConstraint('ledger_entries_key', ['seq', 'n'])
    .execute()
  await projection(db, 'postings')
    .addColumn('p', 'integer', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('amount', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('postings_key', ['seq', 'n', 'p'])
    .execute()
}

async function createMarket(db: Kysely<unknown>): Promise<void> {
  await projection(db, 'quotes')
    .addColumn('t', 'integer', (column) => column.notNull())
    .addColumn('bid_bps', 'integer', (column) => column.notNull())
    .addColumn('ask_bps', 'integer', (column) => column.notNull())
    .addColumn('quote_bid', 'integer', (column) => column.notNull())
    .addColumn('quote_ask', 'integer', (column) => column.notNull())
    .addColumn('quote_pairs', 'text')
    .addColumn('confirmed_by', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('quotes_key', ['seq', 'n'])
    .execute()
  await projection(db, 'rates')
    .addColumn('t', 'integer', (column) => column.notNull())
    .addColumn('mid', 'text', (column) => column.notNull())
    .addColumn('rate_updated_at', 'integer')
    .addColumn('source', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('rates_key', ['seq', 'n'])
    .execute()
  await projection(db, 'notices')
    .addColumn('t', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('notices_key', ['seq', 'n'])
    .execute()
}

/**
 * Version 2. A row a minute of what charts show, in whole tokens and plain numbers: nothing is booked or
 * decided from it, and a year of exact texts would be five times as large. `t` is the row's own number, so
 * that a range of time is a range of the table. The indexes are for what charts and lists ask for by time.
 */
const samples: Migration = {
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

/** Version 3. What operators did, each row with the hash of the one before it. */
const operatorActions: Migration = {
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

/** Version 4. Records carry the version of their form from here on; a mizani that reads only the first form refuses them. */
const versionedRecords: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`PRAGMA user_version = 4`.execute(db)
  },
}

/**
 * Version 5. The treasury's own journal, whose fold is its state, and what it observed. `form` is the form of a body, as
 * the version of a position's records is.
 */
const treasury: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('treasury_journal')
      .addColumn('seq', 'integer', (column) => column.primaryKey())
      .addColumn('t', 'integer', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('form', 'integer', (column) => column.notNull())
      .execute()
    await projection(db, 'treasury_notices')
      .addColumn('t', 'integer', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('treasury_notices_key', ['seq', 'n'])
      .execute()
    await sql`PRAGMA user_version = 5`.execute(db)
  },
}

/** All versions in order, by the names that a store remembers them by. */
const MIGRATIONS = {
  '0001-first-tables': firstTables,
  '0002-samples': samples,
  '0003-operator-actions': operatorActions,
  '0004-versioned-records': versionedRecords,
  '0005-treasury': treasury,
}

export function createMigrator(db: DatabaseSync): Migrator {
  return new Migrator({
    db: new Kysely<unknown>({ dialect: sqliteDialect(db) }),
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  })
}

/** Lets Kysely work on a connection of node:sqlite, which stays the caller's to close. */
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
