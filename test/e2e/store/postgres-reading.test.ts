import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { schemaOf, type PostgresPlace } from '../../../src/store/place.ts'
import { openPool, sendMessage } from '../../../src/store/postgres/pool.ts'
import { type Answerer, createAnswerer } from '../../../src/store/postgres/reading/answer.ts'
import { askPostgres } from '../../../src/store/postgres/reading/ask.ts'
import { openPostgres } from '../../../src/store/postgres/reading/connection.ts'
import { needs } from '../../support/needs.ts'
import { type PostgresServer, postgresSurroundings } from '../../support/postgres.ts'
import { errorOf, valueOf } from '../../unit/store/store-fixture.ts'
import {
  asAdministrator,
  freshPlace,
  open,
  startServer,
  stopServer,
} from '../../contract/store/both-stores.ts'

let server: PostgresServer

beforeAll(async () => {
  const started = await startServer()
  if (started !== null) server = started
})
afterAll(stopServer)

const question = (sql: string, withinMs = 2_000) => ({
  url: server.url,
  schema: 'public',
  sql,
  values: [],
  withinMs,
})

function answerer(): Answerer {
  const made = createAnswerer()
  onTestFinished(made.close)
  return made
}

const cutAll = () =>
  asAdministrator(
    server,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mizani'`,
  )

describe.skipIf(needs('initdb', postgresSurroundings()))('a reader of PostgreSQL', () => {
  test('reads in a transaction that can write nothing', async () => {
    const { answer } = answerer()
    expect(await answer({ id: 1, ...question('SELECT 7::bigint AS n, 1.5::float8 AS x') })).toEqual({
      id: 1,
      rows: [{ n: 7, x: 1.5 }],
    })
    expect(await answer({ id: 2, ...question('CREATE TABLE public.written (n int)') })).toMatchObject({
      id: 2,
      failed: { code: '25006' },
    })
  })

  test('asks once more where its connection was cut since it was used last', async () => {
    const { answer } = answerer()
    await answer({ id: 1, ...question('SELECT 1 AS n') })
    await cutAll()
    expect(await answer({ id: 2, ...question('SELECT 2 AS n') })).toEqual({ id: 2, rows: [{ n: 2 }] })
  })

  test('reports what PostgreSQL reports, a query that takes too long, and a server that is not there', async () => {
    const { answer } = answerer()
    expect(await answer({ id: 1, ...question('SELECT nothing') })).toMatchObject({
      failed: { code: '42703' },
    })
    expect(await answer({ id: 2, ...question('SELECT pg_sleep(9)', 50) })).toMatchObject({
      failed: { code: '57014' },
    })
    const away = { ...question('SELECT 1'), url: 'postgres://mizani@127.0.0.1:1/postgres' }
    expect(await answer({ id: 3, ...away })).toMatchObject({ id: 3, failed: { code: '' } })
  })

  test('waits for a server that answers nothing no longer than it has, and reads on once it answers', () => {
    expect(askPostgres(question('SELECT 1 AS n'))).toEqual([{ n: 1 }])
    server.pause()
    onTestFinished(server.resume)
    const began = performance.now()
    expect(() => askPostgres(question('SELECT 2 AS n', 100))).toThrow('within 100 ms')
    expect(performance.now() - began).toBeLessThan(5_000)
    server.resume()
    expect(askPostgres(question('SELECT 3 AS n'))).toEqual([{ n: 3 }])
  })

  test('without the secret of its URL reaches nothing, and names what is missing', async () => {
    const place: PostgresPlace = { ...(freshPlace('PostgreSQL') as PostgresPlace), url: '' }
    const db = openPostgres(place, 1_000)
    expect(() => db.version()).toThrow('store.postgres names')
    expect(db.failureOf(new Error('x')).message).toContain('PostgreSQL, position')
    // Nor does it write to the server that the client takes where no one names one.
    expect(errorOf(await open(place)).message).toContain('store.postgres names')
  })

  test('reads version 0 where the tables or the schema of a position are not there', async () => {
    const place = freshPlace('PostgreSQL') as PostgresPlace
    await valueOf(await open(place)).close()
    const db = openPostgres(place, 1_000)
    expect(db.version()).toBeGreaterThan(0)
    await asAdministrator(place, `DROP TABLE "${schemaOf(place)}".meta`)
    expect(db.version()).toBe(0)
    expect(db.corrupt('a test').message).toContain('(pg_dump)')
    await asAdministrator(place, `ALTER SCHEMA "${schemaOf(place)}" RENAME TO gone`)
    expect(db.version()).toBe(0)
  })
})

describe.skipIf(needs('initdb', postgresSurroundings()))('a message to PostgreSQL', () => {
  function pool(max: number) {
    const made = openPool(server.url, max)
    onTestFinished(() => made.end())
    return made
  }

  test('is one transaction: an error in it takes back what was before', async () => {
    const one = pool(1)
    await sendMessage(one, ['CREATE TABLE public.kept (n int)'], 2_000)
    const broken = sendMessage(one, ['INSERT INTO public.kept VALUES (1)', 'SELECT 1 / 0'], 2_000)
    await expect(broken).rejects.toMatchObject({ code: '22012' })
    const [count] = await sendMessage(one, ['SELECT count(*) AS n FROM public.kept'], 2_000)
    expect(count?.rows).toEqual([{ n: 0 }])
  })

  test('ends in its time where PostgreSQL is slow, and where every connection is in use', async () => {
    const one = pool(1)
    await expect(sendMessage(one, ['SELECT pg_sleep(9)'], 50)).rejects.toThrow('timeout')
    const taken = await one.connect()
    const began = performance.now()
    await expect(sendMessage(one, ['SELECT 1'], 50)).rejects.toThrow('within 50 ms')
    expect(performance.now() - began).toBeLessThan(900)
    taken.release()
    expect((await sendMessage(one, ['SELECT 1 AS n'], 2_000)).at(-1)?.rows).toEqual([{ n: 1 }])
  })
})
