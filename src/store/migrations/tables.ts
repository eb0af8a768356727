import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { AMOUNT_COLUMNS, NOUGHTS, SHORT_ASSETS } from '../tables/book-amounts.ts'

/** The column types that differ between the databases. */
export type ColumnTypes = {
  /** Holds milliseconds since the epoch. */
  readonly integer: 'integer' | 'bigint'
  readonly real: 'real' | 'double precision'
  /** The text of an event, returned unchanged. */
  readonly json: 'text' | 'json'
  /** Runs before each migration. */
  readonly begin: RawBuilder<unknown> | null
  readonly setVersion: (version: number) => RawBuilder<unknown>
}

/** The migration of the tables to one version. */
type Step = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>

/**
 * Version 1. The journal is the truth; `fills` and the tables after it are projections of the core's observations,
 * keyed by event number and index. Amounts are TEXT in base units, because 64 bits end at 9.2 tokens of 18 decimals.
 * Times are milliseconds since the epoch.
 */
const firstTables: Step = async (db, types) => {
  await createMemory(db, types)
  await createFills(db, types)
  await createLedger(db, types)
  await createMarket(db, types)
}

async function createMemory(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('journal')
    .addColumn('seq', types.integer, (column) => column.primaryKey())
    .addColumn('t', types.integer, (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', types.json, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('snapshots')
    .addColumn('seq', types.integer, (column) => column.primaryKey())
    .addColumn('t', types.integer, (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('version', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('suspensions')
    .addColumn('seq', types.integer, (column) => column.primaryKey())
    .addColumn('reason', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('meta')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

/** Creates a table whose rows are keyed by event and index. */
function projection(db: Kysely<unknown>, types: ColumnTypes, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('seq', types.integer, (column) => column.notNull())
    .addColumn('n', types.integer, (column) => column.notNull())
}

async function createFills(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await projection(db, types, 'fills')
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
    .addColumn('created_at', types.integer)
    .addColumn('posted_at', types.integer, (column) => column.notNull())
    .addColumn('raw', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('fills_key', ['seq', 'n'])
    .execute()
  await projection(db, types, 'quarantine')
    .addColumn('t', types.integer, (column) => column.notNull())
    .addColumn('venue_id', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('raw', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('quarantine_key', ['seq', 'n'])
    .execute()
}

async function createLedger(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await projection(db, types, 'ledger_entries')
    .addColumn('number', types.integer, (column) => column.notNull())
    .addColumn('t', types.integer, (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('fill_id', 'text')
    .addPrimaryKeyConstraint('ledger_entries_key', ['seq', 'n'])
    .execute()
  await projection(db, types, 'postings')
    .addColumn('p', types.integer, (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('amount', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('postings_key', ['seq', 'n', 'p'])
    .execute()
}

async function createMarket(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await projection(db, types, 'quotes')
    .addColumn('t', types.integer, (column) => column.notNull())
    .addColumn('bid_bps', types.integer, (column) => column.notNull())
    .addColumn('ask_bps', types.integer, (column) => column.notNull())
    .addColumn('quote_bid', types.integer, (column) => column.notNull())
    .addColumn('quote_ask', types.integer, (column) => column.notNull())
    .addColumn('quote_pairs', 'text')
    .addColumn('confirmed_by', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('quotes_key', ['seq', 'n'])
    .execute()
  await projection(db, types, 'rates')
    .addColumn('t', types.integer, (column) => column.notNull())
    .addColumn('mid', 'text', (column) => column.notNull())
    .addColumn('rate_updated_at', types.integer)
    .addColumn('source', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('rates_key', ['seq', 'n'])
    .execute()
  await projection(db, types, 'notices')
    .addColumn('t', types.integer, (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('notices_key', ['seq', 'n'])
    .execute()
}

/**
 * Version 2. One row per minute for charts, in whole tokens and plain numbers: nothing is booked or decided from it,
 * and a year of exact texts would be five times as large. `t` is the row id, so that a time range is a table range. The
 * indexes serve charts and lists by time.
 */
const samples: Step = async (db, types) => {
  await db.schema
    .createTable('samples')
    .addColumn('t', types.integer, (column) => column.primaryKey())
    .addColumn('seq', types.integer, (column) => column.notNull())
    .addColumn('mid', types.real)
    .addColumn('fair_value', types.real)
    .addColumn('bid_bps', types.integer)
    .addColumn('ask_bps', types.integer)
    .addColumn('best_bid_bps', types.integer)
    .addColumn('best_ask_bps', types.integer)
    .addColumn('ntzs', types.real)
    .addColumn('usdc', types.real)
    .addColumn('usdt', types.real)
    .addColumn('usdt_bnb', types.real)
    .addColumn('posted_spread', types.real)
    .addColumn('stale_mid', types.real)
    .addColumn('inventory', types.real)
    .addColumn('costs', types.real)
    .addColumn('unexplained', types.real)
    .addColumn('total_usd', types.real)
    .execute()
  await db.schema.createIndex('rates_by_time').on('rates').column('t').execute()
  await db.schema.createIndex('fills_by_time').on('fills').columns(['posted_at', 'side']).execute()
  await db.schema.createIndex('notices_by_type').on('notices').columns(['type', 't']).execute()
}

/** Version 3. The operators' actions, each row with the hash of the previous one. */
const operatorActions: Step = async (db, types) => {
  await db.schema
    .createTable('operator_actions')
    .addColumn('seq', types.integer, (column) => column.notNull())
    .addColumn('n', types.integer, (column) => column.notNull())
    .addColumn('t', types.integer, (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('previous', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('operator_actions_key', ['seq', 'n'])
    .execute()
  // Earlier operator actions are in the journal, without a chain.
  await sql`INSERT INTO meta (key, value) SELECT 'actionsSince', coalesce(max(seq), 0) FROM journal`.execute(
    db,
  )
}

/** Version 4. From here on records carry the version of their form; a mizani that reads only the first form refuses them. */
const versionedRecords: Step = () => Promise.resolve()

/**
 * Version 5. The treasury's own journal, whose fold is its state, and its observations. `form` versions a body, like
 * the version of a position's records.
 */
const treasury: Step = async (db, types) => {
  await db.schema
    .createTable('treasury_journal')
    .addColumn('seq', types.integer, (column) => column.primaryKey())
    .addColumn('t', types.integer, (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', types.json, (column) => column.notNull())
    .addColumn('form', types.integer, (column) => column.notNull())
    .execute()
  await projection(db, types, 'treasury_notices')
    .addColumn('t', types.integer, (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('treasury_notices_key', ['seq', 'n'])
    .execute()
}

/** Version 6. Amounts are book amounts, with 18 decimals for every token. */
const bookAmounts: Step = async (db) => {
  for (const [table, amount, asset] of AMOUNT_COLUMNS)
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(amount)} = ${sql.ref(amount)} || ${NOUGHTS}
      WHERE ${sql.ref(asset)} IN (${sql.join(SHORT_ASSETS)}) AND ${sql.ref(amount)} <> '0'`.execute(db)
}

/** All versions in order, by the names under which a store records them. */
const STEPS: Readonly<Record<string, Step>> = {
  '0001-first-tables': firstTables,
  '0002-samples': samples,
  '0003-operator-actions': operatorActions,
  '0004-versioned-records': versionedRecords,
  '0005-treasury': treasury,
  '0006-book-amounts': bookAmounts,
}

/** Returns a database's migrations; each stores its number where a connection's `version` reads it. */
export function migrationsFor(types: ColumnTypes): Readonly<Record<string, Migration>> {
  const migrations = Object.entries(STEPS).map(([name, step], index) => {
    const up = async (db: Kysely<unknown>): Promise<void> => {
      await types.begin?.execute(db)
      await step(db, types)
      await types.setVersion(index + 1).execute(db)
    }
    return [name, { up }]
  })
  return Object.fromEntries(migrations) as Readonly<Record<string, Migration>>
}
