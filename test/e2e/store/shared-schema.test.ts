import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Client } from 'pg'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { SHARED_VERSION } from '../../../src/store/postgres/shared-schema.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings } from '../../support/postgres.ts'
import { durable, errorOf, valueOf } from '../../unit/store/store-fixture.ts'
import { write } from './postgres-place.ts'
import {
  asAdministrator,
  freshPlace,
  open,
  startServer,
  stopServer,
} from '../../contract/store/both-stores.ts'

const freshPostgres = () => freshPlace('PostgreSQL') as PostgresPlace

/** As a version before left it: other functions, and a version row of its own or none. */
const HOLDS_NOTHING = `CREATE OR REPLACE FUNCTION mizani.hold(who text, wanted bigint) RETURNS void LANGUAGE sql AS ''`

const sourceOfHold = async (place: PostgresPlace): Promise<unknown> =>
  (await asAdministrator(place, `SELECT prosrc FROM pg_proc WHERE proname = 'hold'`))[0]?.['prosrc']

const versionsIn = async (place: PostgresPlace) =>
  (await asAdministrator(place, 'SELECT version, oldest FROM mizani.version'))[0]

describe.skipIf(needs('initdb', postgresSurroundings()))('what the positions of a database share', () => {
  beforeAll(async () => void (await startServer()))
  afterAll(stopServer)
  beforeEach(async () => {
    await asAdministrator(freshPostgres(), 'DROP SCHEMA IF EXISTS mizani CASCADE')
  })

  test('is brought to this version where an older one is found, with a version row or without', async () => {
    const first = freshPostgres()
    const store = valueOf(await open(first))
    const today = await sourceOfHold(first)
    for (const before of ['DROP TABLE mizani.version', 'UPDATE mizani.version SET version = 0']) {
      await asAdministrator(first, `${before}; ${HOLDS_NOTHING}`)
      const later = freshPostgres()
      await valueOf(await open(later)).close()
      expect(await sourceOfHold(later)).toBe(today)
      expect(await versionsIn(later)).toMatchObject({ version: SHARED_VERSION })
    }
    // The daemon that traded meanwhile continues.
    write(store, 1, 3)
    await durable(store, 3)
  })

  test('is left as it is where a newer daemon has made it and it serves this one', async () => {
    const first = freshPostgres()
    await valueOf(await open(first)).close()
    await asAdministrator(first, `UPDATE mizani.version SET version = 99; ${HOLDS_NOTHING}`)
    const later = freshPostgres()
    await valueOf(await open(later)).close()
    expect(await sourceOfHold(later)).toBe('')
    expect(await versionsIn(later)).toMatchObject({ version: 99 })
  })

  test('is refused with words where a newer daemon has made it and it does not serve this one', async () => {
    const first = freshPostgres()
    const store = valueOf(await open(first))
    await asAdministrator(first, 'UPDATE mizani.version SET version = 99, oldest = 98')
    const refused = errorOf(await open(freshPostgres()))
    expect(refused.kind).toBe('newer-version')
    expect(refused.message).toContain('the newer mizani')
    // One that holds its position is not put out by that.
    write(store, 1, 3)
    await durable(store, 3)
  })

  test('is made once by daemons that start at the same moment', async () => {
    const places = [1, 2, 3, 4].map(freshPostgres)
    const opened = await Promise.all(places.map((place) => open(place)))
    expect(opened.map(({ ok }) => ok)).toEqual([true, true, true, true])
  })

  test('is upgraded at once while pg_dump reads it and a holder shows signs of life', async () => {
    const first = freshPostgres()
    await valueOf(await open(first)).close()
    await asAdministrator(first, 'UPDATE mizani.version SET version = 0')
    const dump = new Client({ connectionString: first.url })
    await dump.connect()
    onTestFinished(() => dump.end())
    await dump.query(`BEGIN; LOCK TABLE mizani.fence, mizani.beat, mizani.standby, mizani.version
      IN ACCESS SHARE MODE; SELECT mizani.timeline()`)
    await dump.query(`UPDATE mizani.beat SET count = count + 1 WHERE position = '${first.position}'`)
    await valueOf(await open(freshPostgres())).close()
    expect(await versionsIn(first)).toMatchObject({ version: SHARED_VERSION })
  })
})
