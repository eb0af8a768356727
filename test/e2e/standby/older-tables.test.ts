import { mkdtempSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createCalendar } from '../../../src/daemon/runtime/position/calendar.ts'
import { recover } from '../../../src/daemon/runtime/position/recover-position.ts'
import { EXPORT_KINDS } from '../../../src/store/export/kinds.ts'
import { openStore } from '../../../src/store/journal/open-store.ts'
import { postgresMigrator } from '../../../src/store/migrations/postgres.ts'
import { openReader } from '../../../src/store/open-reader.ts'
import { type PostgresPlace, schemaOf } from '../../../src/store/place.ts'
import { underFence } from '../../../src/store/postgres/fence.ts'
import { holdPosition, letGo } from '../../../src/store/postgres/holding.ts'
import { openPool, sendMessage } from '../../../src/store/postgres/pool.ts'
import { renewEvery } from '../../../src/store/postgres/renewing.ts'
import { takePosition } from '../../../src/store/postgres/take-position.ts'
import type { HoldTerms } from '../../../src/store/postgres/terms.ts'
import { SCHEMA_VERSION } from '../../../src/store/schema.ts'
import { comparable, copyStore, expectedStore } from '../../golden/open-recording.ts'
import { positionFacts } from '../../golden/position-facts.ts'
import { worldStrategy } from '../../support/world-strategies.ts'
import { durable, valueOf } from '../../unit/store/store-fixture.ts'
import { until } from '../daemon/until.ts'
import { isStoodBy } from '../../../src/store/postgres/hand-over.ts'
import { besidePostgres } from './beside-postgres.ts'

/** The machine may be busy: no one takes over from one that is slow. */
const PATIENT: HoldTerms = { renewMs: 1_000, roundTripMs: 500, giveUpMs: 60_000, waitMs: 60_000 }

besidePostgres('A position whose holder is of an older version', (databaseUrl) => {
  test('keeps its tables while a newer one stands by, and has all of its rows in new tables after the hand-over', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mizani-older-'))
    const place: PostgresPlace = { url: databaseUrl(), position: 'desk', folder }
    const pool = openPool(place.url, 2)
    onTestFinished(() => pool.end())
    const ask = async (sql: string) => (await pool.query(sql)).rows as readonly Record<string, unknown>[]
    const expected = expectedStore('0.1.0', 'pooled')
    const older = await holdInOlderTables(pool, place)
    expect(older.version).toBeLessThan(SCHEMA_VERSION)

    let isStandingBy = false
    const standBy = { onHeld: () => void (isStandingBy = true), signal: new AbortController().signal }
    const next = openStore(place, { standBy, terms: PATIENT })
    await until('the newer one stands by', async () => isStandingBy && (await isStoodBy(older.holding)))
    expect(await versionOf(ask, place)).toBe(older.version)
    await older.append(expected.lastSeq + 1)
    older.renewing.stop()
    await letGo(older.holding)

    const store = valueOf(await next)
    expect(await versionOf(ask, place)).toBe(SCHEMA_VERSION)
    const point = store.recover()
    expect(point.lastSeq).toBe(expected.lastSeq + 1)
    const { engine } = recover({
      ...point,
      // The tick of the older daemon is beyond what was recorded.
      tail: [...point.tail].filter(({ seq }) => seq <= expected.lastSeq),
      strategyFor: worldStrategy,
      calendar: createCalendar(),
      onAudit: (record, audit) => store.project(record.seq, audit.observations),
    })
    const state = engine.state()
    expect(comparable('0.1.0', state === null ? null : positionFacts(state))).toEqual(
      comparable('0.1.0', expected.facts),
    )
    store.append(expected.lastSeq + 2, { type: 'tick', t: 2 })
    await durable(store, expected.lastSeq + 2)
    await expect(older.append(expected.lastSeq + 3)).rejects.toMatchObject({ code: 'MZ001' })
    await store.close()
    expect(tablesOf(place)).toMatchObject(expected.tables)
  })
})

/** A daemon of the version that made the recording: it holds the position, and its tables have that version's form and rows. */
async function holdInOlderTables(pool: Pool, place: PostgresPlace) {
  const taken = valueOf(await takePosition({ pool, place, holder: 'older process 1', waitMs: 1_000 }))
  const holding = holdPosition({ pool, place, taken, terms: PATIENT })
  const renewing = renewEvery(PATIENT.renewMs, holding)
  const recorded = new DatabaseSync(join(copyStore('0.1.0', 'pooled'), 'mizani.db'))
  const version = Number(recorded.prepare('PRAGMA user_version').get()?.['user_version'])
  const migrator = postgresMigrator(pool, place)
  const step = (await migrator.getMigrations())[version - 1]?.name
  const { error } = await migrator.migrateTo(step ?? '')
  if (error !== undefined) throw error
  const tables = recorded
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'kysely%' AND name NOT LIKE 'sqlite%'",
    )
    .all()
  const client = await pool.connect()
  await client.query('BEGIN')
  for (const { name } of tables) {
    for (const row of recorded.prepare(`SELECT * FROM ${String(name)}`).all()) {
      const columns = Object.keys(row)
      const values = columns.map((_, index) => `$${index + 1}`).join(', ')
      const into = `"${schemaOf(place)}"."${String(name)}" (${columns.map((one) => `"${one}"`).join(', ')})`
      await client.query(`INSERT INTO ${into} VALUES (${values}) ON CONFLICT DO NOTHING`, Object.values(row))
    }
  }
  await client.query('COMMIT')
  client.release()
  recorded.close()
  const append = (seq: number) =>
    sendMessage(
      pool,
      [
        ...underFence(place, taken.fence),
        `INSERT INTO journal (seq, t, type, body) VALUES (${seq}, 1, 'tick', '{"type":"tick","t":1}')`,
      ],
      2_000,
    )
  return { holding, renewing, version, append }
}

async function versionOf(
  ask: (sql: string) => Promise<readonly Record<string, unknown>[]>,
  place: PostgresPlace,
): Promise<number> {
  const [row] = await ask(`SELECT value FROM "${schemaOf(place)}".meta WHERE key = 'schemaVersion'`)
  return Number(row?.['value'])
}

function tablesOf(place: PostgresPlace): Readonly<Record<string, readonly unknown[]>> {
  const reader = valueOf(openReader(place))
  try {
    return Object.fromEntries(EXPORT_KINDS.map((kind) => [kind, [...reader.rows(kind)]]))
  } finally {
    reader.close()
  }
}
