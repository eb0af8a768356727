import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { postgresIdentity } from '../../../src/store/postgres/reading/identity.ts'
import { asAdministrator, freshPlace, open, PATIENT } from '../../contract/store/both-stores.ts'
import { needs } from '../../support/needs.ts'
import {
  type PostgresServer,
  postgresSurroundings,
  startPostgres,
  startReplica,
} from '../../support/postgres.ts'
import { switchedPort } from '../../support/switched-port.ts'
import { durable, errorOf, valueOf } from '../../unit/store/store-fixture.ts'
import { quoteOf } from '../daemon/open-market.ts'
import { endDaemons } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { quotes, sharedDesk } from '../standby/shared-desk.ts'
import { elsewhere, failureOf, fillsOf, fillsUpTo, inspect, write } from './postgres-place.ts'

/** A fail-over promotes a replica and leaves the primary as it is: one serves all tests, each with a position of its own. */
let primary: PostgresServer

/**
 * The server with a replica, and an address that leads to the first of them until it fails over. This process serves the
 * address, so what waits for an answer (a reader) asks the servers themselves.
 */
async function pair(position: string, lags: boolean) {
  const address = await switchedPort(portOf(primary.url))
  onTestFinished(address.close)
  const url = primary.url.replace(`:${portOf(primary.url)}`, `:${address.port}`)
  const place: PostgresPlace = { url, position, folder: freshPlace('SQLite') as string }
  async function replicate() {
    const replica = await startReplica(primary, { lags })
    onTestFinished(replica.stop)
    const failOver = (): void => {
      replica.promote()
      address.leadTo(portOf(replica.url))
    }
    return { replica, failOver }
  }
  return { place, replicate }
}

const portOf = (url: string): number => Number(new URL(url).port)

/** Until the replica has all that the primary has. */
async function caughtUp(replica: PostgresServer): Promise<void> {
  const [written] = await asAdministrator(primary, 'SELECT pg_current_wal_lsn()::text AS at')
  for (;;) {
    const replayed = `SELECT pg_last_wal_replay_lsn() >= '${String(written?.['at'])}' AS done`
    const [row] = await asAdministrator(replica, replayed)
    if (row?.['done'] === true) return
    await pause(50)
  }
}

describe.skipIf(needs('initdb', postgresSurroundings()))('a fail-over of PostgreSQL', () => {
  beforeAll(async () => {
    primary = await startPostgres()
  })
  afterAll(async () => {
    await endDaemons()
    primary.stop()
  })

  test('that is quick has the daemon send the safe quote at once, and then take the position anew without ending', async () => {
    const { place, replicate } = await pair('desk-1', false)
    // A promotion takes seconds on a busy machine, and no one answers meanwhile: with the usual times that is no quick one.
    const lease = { deadlineMs: 12_000, waitMs: 18_000 }
    const desk = await sharedDesk(place.url, place.position, { store: { lease } })
    onTestFinished(() => desk.close())
    const daemon = desk.start('a')
    await quotes(daemon)
    const { failOver } = await replicate()
    const quoted = (bidBps: number) =>
      until(`the venue quotes bid ${bidBps}`, async () => (await quoteOf(desk.venue)).bidBps === bidBps, {
        otherwise: () => daemon.output() + daemon.errors(),
      })
    await quoted(60)
    failOver()
    await quoted(500)
    expect(daemon.output()).toContain('PostgreSQL failed over')
    await quoted(60)
    await quotes(daemon)
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  test('voids the grant of the daemon that wrote, makes the next one wait, and loses nothing that the replica has', async () => {
    const { place, replicate } = await pair('desk-2', false)
    const store = valueOf(await open(place))
    write(store, 1, 100)
    await durable(store, 100)
    const { replica, failOver } = await replicate()
    expect(errorOf(await open({ ...elsewhere(place), url: replica.url })).message).toContain('is a replica')
    write(store, 101, 150)
    await durable(store, 150)
    await caughtUp(replica)
    const before = postgresIdentity({ ...place, url: primary.url })
    expect(postgresIdentity({ ...place, url: primary.url })).toBe(before)

    failOver()
    const failed = failureOf(store)
    write(store, 151, 160)
    expect(await failed).toMatchObject({ kind: 'failed-over' })
    expect((await failed).message).toContain('PostgreSQL failed over')
    expect(store.durableSeq()).toBe(150)
    // A treasury asks a person before it continues where this has changed.
    const after = { ...place, url: replica.url }
    expect(postgresIdentity(after)).not.toBe(before)

    const began = performance.now()
    const next = valueOf(await open(elsewhere(place)))
    expect(performance.now() - began).toBeGreaterThan(PATIENT.waitMs)
    expect(next.durableSeq()).toBe(150)
    write(next, 151, 200)
    await durable(next, 200)
    await next.close()
    expect(inspect(after)).toBe(200)
    expect(fillsOf(after)).toEqual(fillsUpTo(200))
  })

  test('to a replica that lagged ends the daemon, and even a position that was released is waited for', async () => {
    const { place, replicate } = await pair('desk-3', true)
    const store = valueOf(await open(place))
    write(store, 1, 50)
    await durable(store, 50)
    const { replica, failOver } = await replicate()
    write(store, 51, 80)
    await durable(store, 80)
    failOver()
    const failed = failureOf(store)
    write(store, 81, 90)
    expect(await failed).toMatchObject({ kind: 'failed-over' })
    expect(store.durableSeq()).toBe(80)
    await store.close()

    const began = performance.now()
    const next = valueOf(await open(place))
    expect(performance.now() - began).toBeGreaterThan(PATIENT.waitMs)
    // The events are lost with the server; what the venue shows is compared with the books of before.
    expect(next.durableSeq()).toBe(50)
    write(next, 51, 60)
    await durable(next, 60)
    await next.close()
    expect(inspect({ ...place, url: replica.url })).toBe(60)
  })
})
