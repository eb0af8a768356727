import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Pool } from 'pg'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { openPool, sendMessage } from '../../../src/store/postgres/pool.ts'
import { openLeaseReader } from '../../../src/store/postgres/read-leases.ts'
import { announce, beat } from '../../../src/store/postgres/fence.ts'
import { takePosition } from '../../../src/store/postgres/take-position.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings, startPostgres } from '../../support/postgres.ts'
import { freshPlace, startServer, stopServer } from '../../contract/store/both-stores.ts'

/** Rows as daemons leave them on a real server, and as a guard reads them. */

const fresh = () => freshPlace('PostgreSQL') as PostgresPlace

function poolOf({ url }: PostgresPlace): Pool {
  const pool = openPool(url, 1)
  onTestFinished(() => pool.end())
  return pool
}

function readerOf(url: string) {
  const reader = openLeaseReader(url)
  onTestFinished(() => reader.close())
  return reader
}

describe.skipIf(needs('initdb', postgresSurroundings()))('A reader of lease rows', () => {
  beforeAll(async () => void (await startServer()))
  afterAll(stopServer)

  test('sees who holds each position, its signs of life and who stands by, and knows no other position', async () => {
    const place = fresh()
    const pool = poolOf(place)
    const taken = await takePosition({ pool, place, holder: 'one process 1 on here', waitMs: 100 })
    if (!taken.ok) throw new Error(taken.error.message)
    const { fence } = taken.value
    const reader = readerOf(place.url)
    const names = [place.position, `${place.position}-unheld`, "o'brien"]
    const first = { position: place.position, fence, count: 0, holder: 'one process 1 on here', standbys: [] }
    expect(await reader.read(names, 2_000)).toEqual({ ok: true, value: [first] })
    await sendMessage(pool, [beat(place, fence), announce(place, 'two process 2 on there')], 2_000)
    const standbys = [{ holder: 'two process 2 on there', count: 1 }]
    expect(await reader.read(names, 2_000)).toEqual({ ok: true, value: [{ ...first, count: 1, standbys }] })
    expect(await reader.read([], 2_000)).toEqual({ ok: true, value: [] })
  })

  test('needs no more than a user that may read the three tables', async () => {
    const place = fresh()
    const pool = poolOf(place)
    const taken = await takePosition({ pool, place, holder: 'one process 1 on here', waitMs: 100 })
    if (!taken.ok) throw new Error(taken.error.message)
    const grants = [
      'CREATE ROLE watcher LOGIN',
      'GRANT USAGE ON SCHEMA mizani TO watcher',
      'GRANT SELECT ON mizani.fence, mizani.beat, mizani.standby TO watcher',
    ]
    await sendMessage(pool, grants, 2_000)
    const url = new URL(place.url)
    url.username = 'watcher'
    expect(await readerOf(url.href).read([place.position], 2_000)).toMatchObject({
      ok: true,
      value: [{ holder: expect.stringContaining('process 1 on here') as string }],
    })
  })

  test('finds nothing where no daemon has made the tables, and names the fault where no server answers', async () => {
    const empty = await startPostgres()
    try {
      const reader = readerOf(empty.url)
      expect(await reader.read(['desk'], 2_000)).toEqual({ ok: true, value: [] })
      empty.pause()
      const began = performance.now()
      const late = await reader.read(['desk'], 300)
      empty.resume()
      expect(late).toMatchObject({ ok: false })
      expect(performance.now() - began).toBeLessThan(1_500)
    } finally {
      empty.stop()
    }
    expect(await readerOf('postgres://user:hidden@127.0.0.1:1/none').read(['desk'], 500)).toEqual({
      ok: false,
      error: expect.not.stringContaining('hidden'),
    })
  })
})
