import { randomBytes } from 'node:crypto'
import { chownSync, copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { openReader } from '../../../src/store/open-reader.ts'
import { postgresIdentity } from '../../../src/store/postgres/reading/identity.ts'
import { asAdministrator, open, startServer, stopServer } from '../../contract/store/both-stores.ts'
import { needs } from '../../support/needs.ts'
import { mountSmallDisk, skipUnlessMounts } from '../../support/small-disk.ts'
import { postgresSurroundings, runAsServer, type PostgresServer } from '../../support/postgres.ts'
import { durable, errorOf, valueOf } from '../../unit/store/store-fixture.ts'
import { elsewhere, failureOf, fillsOf, fillsUpTo, freshPostgres, inspect, write } from './postgres-place.ts'
import { lastAcknowledged, startWriter } from './start-writer.ts'
import { eventOf, observationsOf } from './written.ts'

const SEED = 20_261_123
const KILLS = 6
const CUTS = 25

let server: PostgresServer

describe.skipIf(needs('initdb', postgresSurroundings()))('a store in PostgreSQL', () => {
  beforeAll(async () => {
    const started = await startServer()
    if (started === null) throw new Error('the server did not start')
    server = started
  })
  afterAll(stopServer)

  test(`kill -9 at ${KILLS} random points under load loses nothing acknowledged, leaves no hole and doubles no fill`, async () => {
    const place = freshPostgres()
    const random = seededRandom(SEED, 'kill points')
    let least = 0
    for (let round = 0; round < KILLS; round++) {
      const writer = startWriter(JSON.stringify(place), SEED + round)
      await writer.until(/^durable /m)
      await pause(random() * 80)
      writer.child.kill('SIGKILL')
      await writer.ended
      expect(writer.said()).not.toMatch(/failed|refused/)
      // A group whose answer died with its writer may be there or not; it is never there in part.
      expect(Number(/opened (\d+)/.exec(writer.said())?.[1])).toBeGreaterThanOrEqual(least)
      least = lastAcknowledged(writer.said())
    }
    const last = inspect(place)
    expect(last).toBeGreaterThanOrEqual(least)
    const again = valueOf(await open(place))
    for (const { seq } of again.recover().tail) again.project(seq, observationsOf(seq))
    await again.close()
    expect(fillsOf(place)).toEqual(fillsUpTo(last))
  })

  test('a server that restarts in the middle loses nothing, and the writer continues', async () => {
    const place = freshPostgres()
    const store = valueOf(await open(place))
    write(store, 1, 50)
    await durable(store, 50)
    server.restart()
    write(store, 51, 400)
    await durable(store, 400)
    await store.close()
    expect(inspect(place)).toBe(400)
    expect(fillsOf(place)).toEqual(fillsUpTo(400))
  })

  test(`connections that are cut ${CUTS} times under load lose nothing and double nothing`, async () => {
    const place = freshPostgres()
    const store = valueOf(await open(place))
    const random = seededRandom(SEED, 'cuts')
    let seq = 0
    for (let cut = 0; cut < CUTS; cut++) {
      for (let burst = 0; burst < 20; burst++) {
        write(store, seq + 1, seq + 7)
        seq += 7
        await pause(random() * 3)
      }
      await asAdministrator(
        place,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mizani'",
      )
    }
    await durable(store, seq)
    await store.close()
    expect(inspect(place)).toBe(seq)
    expect(fillsOf(place)).toEqual(fillsUpTo(seq))
  })

  test('a second writer on another machine is refused while the first one lives, and takes over once it is dead', async () => {
    const place = freshPostgres()
    const writer = startWriter(JSON.stringify(place), 1)
    await writer.until(/^durable /m)
    const refused = errorOf(await open(elsewhere(place)))
    expect(refused.kind).toBe('locked')
    expect(refused.message).toContain(`process ${writer.child.pid} on`)
    writer.child.kill('SIGKILL')
    await writer.ended
    const began = performance.now()
    const next = valueOf(await open(elsewhere(place)))
    expect(performance.now() - began).toBeGreaterThan(1_000)
    expect(next.recover().lastSeq).toBeGreaterThanOrEqual(lastAcknowledged(writer.said()))
  })

  test('a writer that was released is followed at once', async () => {
    const place = freshPostgres()
    await valueOf(await open(place)).close()
    const began = performance.now()
    valueOf(
      await open(elsewhere(place), {
        terms: { renewMs: 200, roundTripMs: 500, giveUpMs: 10_000, waitMs: 60_000 },
      }),
    )
    expect(performance.now() - began).toBeLessThan(30_000)
  })

  test('a copy of the folder of a writer that lives does not take the position from it', async () => {
    const place = freshPostgres()
    const writer = valueOf(await open(place))
    const copy = elsewhere(place)
    mkdirSync(copy.folder, { recursive: true })
    copyFileSync(join(place.folder, 'holder.id'), join(copy.folder, 'holder.id'))
    expect(errorOf(await open(copy))).toMatchObject({ kind: 'locked' })
    write(writer, 1, 10)
    await durable(writer, 10)
  })

  test('a writer that was paused while another one took over writes nothing when it wakes up, and reports why', async () => {
    const place = freshPostgres()
    const writer = startWriter(JSON.stringify(place), 1)
    await writer.until(/^durable \d{3}/m)
    writer.child.kill('SIGSTOP')
    const next = valueOf(await open(elsewhere(place)))
    const from = next.durableSeq()
    const acknowledged = lastAcknowledged(writer.said())
    expect(from).toBeGreaterThanOrEqual(acknowledged)
    write(next, from + 1, from + 100)
    await durable(next, from + 100)
    writer.child.kill('SIGCONT')
    await writer.until(/^failed .*was taken over by another daemon/m)
    writer.child.kill('SIGKILL')
    await writer.ended
    expect(lastAcknowledged(writer.said())).toBeLessThanOrEqual(from)
    await next.close()
    expect(inspect(place)).toBe(from + 100)
  })

  test('a server that stays away ends the writer in time, with words that name it', async () => {
    const place = freshPostgres()
    const terms = { renewMs: 200, roundTripMs: 500, giveUpMs: 1_000, waitMs: 1_000 }
    const store = valueOf(await open(place, { terms }))
    write(store, 1, 10)
    await durable(store, 10)
    const failed = failureOf(store)
    // Frozen, not stopped: connections stay open and no one answers.
    const began = performance.now()
    server.pause()
    onTestFinished(server.resume)
    write(store, 11, 20)
    const failure = await failed
    expect(performance.now() - began).toBeLessThan(3_000)
    server.resume()
    expect(failure.kind).toBe('io')
    expect(failure.message).toContain('PostgreSQL at 127.0.0.1')
    expect(failure.message).not.toContain('mizani@')
    const [row] = await asAdministrator(
      place,
      `SELECT max(seq) AS last FROM "mizani_${place.position}".journal`,
    )
    expect([10, 20]).toContain(Number(row?.['last']))
  })

  test.each([
    ['acknowledges writes that a crash', 'synchronous_commit', 'synchronous_commit is off', 'for this user'],
    ['runs without fsync', 'mizani.may_lose', 'fsync is off', "the server's configuration"],
  ])('a server that %s is refused, with the setting to change', async (_, setting, why, where) => {
    const place = freshPostgres()
    await asAdministrator(place, `ALTER DATABASE postgres SET ${setting} = off`)
    const refused = errorOf(await open(place))
    await asAdministrator(place, `ALTER DATABASE postgres RESET ${setting}`)
    expect(refused).toMatchObject({ kind: 'io' })
    expect(refused.message).toContain(why)
    expect(refused.message).toContain(where)
    valueOf(await open(place))
  })

  test('a copy by pg_dump, made while a daemon writes, is a whole store that a daemon continues with', async () => {
    const place = freshPostgres()
    const store = valueOf(await open(place))
    write(store, 1, 200)
    await durable(store, 200)
    write(store, 201, 400)
    const file = join(server.folder, 'desk.dump')
    const copy = ['--format=custom', '--schema=mizani*', `--file=${file}`, place.url]
    runAsServer(server.folder, 'pg_dump', copy)
    await durable(store, 400)
    await store.close()
    await asAdministrator(place, 'CREATE DATABASE restored')
    const restored = { ...elsewhere(place), url: place.url.replace('/postgres', '/restored') }
    runAsServer(server.folder, 'pg_restore', [`--dbname=${restored.url}`, file])
    const next = valueOf(await open(restored))
    const last = next.durableSeq()
    expect(last).toBeGreaterThanOrEqual(200)
    write(next, last + 1, last + 10)
    await durable(next, last + 10)
    await next.close()
    expect(inspect(restored)).toBe(last + 10)
    expect(fillsOf(restored)).toEqual(fillsUpTo(last + 10))
    expect(postgresIdentity(restored)).not.toBe(postgresIdentity(place))
  })

  test('a full disk of the server is one clear failure; nothing is acknowledged after it', async (context) => {
    skipUnlessMounts(context)
    const place = freshPostgres()
    const limited = join(server.folder, 'small')
    mountSmallDisk(limited)
    const { uid, gid } = statSync(server.folder)
    chownSync(limited, uid, gid)
    await asAdministrator(place, `CREATE TABLESPACE small LOCATION '${limited}'`)
    await asAdministrator(place, 'ALTER DATABASE postgres SET default_tablespace = small')
    onTestFinished(() =>
      asAdministrator(place, 'ALTER DATABASE postgres RESET default_tablespace').then(() => undefined),
    )
    const store = valueOf(await open(place))
    const failed = failureOf(store)
    let received = 0
    store.onDurable((seq) => (received = seq))
    for (let seq = 1; seq <= 40; seq++) {
      store.append(seq, { ...eventOf(seq), filler: randomBytes(300_000).toString('base64') } as never)
      await pause(5)
    }
    const failure = await failed
    expect(failure.kind).toBe('disk-full')
    expect(failure.message).toContain("the server's disk")
    const last = received
    await pause(300)
    expect(received).toBe(last)
    const reader = valueOf(openReader(place))
    expect(reader.lastSeq()).toBe(last)
    reader.close()
  })
})
