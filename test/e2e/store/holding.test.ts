import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Pool } from 'pg'
import { countingSide, createSharedRenewal } from '../../../src/core/lease/shared-renewal.ts'
import type { JournalCall, JournalInit, JournalReply } from '../../../src/store/journal-messages.ts'
import { serveJournal } from '../../../src/store/journal/serve-journal.ts'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { announce, lookAt, type SeenFence, takeOver } from '../../../src/store/postgres/fence.ts'
import { handOver, isStoodBy } from '../../../src/store/postgres/hand-over.ts'
import { type Holding, holdPosition, letGo } from '../../../src/store/postgres/holding.ts'
import { openPool, sendMessage } from '../../../src/store/postgres/pool.ts'
import { type StandBy, takePosition } from '../../../src/store/postgres/take-position.ts'
import type { HoldTerms } from '../../../src/store/postgres/terms.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings } from '../../support/postgres.ts'
import { eventOf } from './written.ts'
import { adoptWhileHeld, readStoreOrigin } from '../../../src/daemon/runtime/treasury/store-origin.ts'
import { valueOf } from '../../unit/store/store-fixture.ts'
import {
  asAdministrator,
  freshPlace,
  open,
  startServer,
  stopServer,
} from '../../contract/store/both-stores.ts'

/** Holders and candidates of one position in this process, each with connections of its own. */

const TERMS: HoldTerms = { renewMs: 100, roundTripMs: 500, giveUpMs: 10_000, waitMs: 1_000 }

const freshPostgres = () => freshPlace('PostgreSQL') as PostgresPlace

function poolOf(place: PostgresPlace): Pool {
  const pool = openPool(place.url, 2)
  onTestFinished(() => pool.end())
  return pool
}

function standingBy() {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const told: string[] = []
  const onHeld = (words: string) => void (told.at(-1) === words || told.push(words))
  const standBy: StandBy = { onHeld, signal: ending.signal }
  return { standBy, told, end: () => ending.abort() }
}

async function hold(place: PostgresPlace, holder: string, lease?: SharedArrayBuffer): Promise<Holding> {
  const pool = poolOf(place)
  const taken = await takePosition({ pool, place, holder, waitMs: TERMS.waitMs })
  if (!taken.ok) throw new Error(taken.error.message)
  return holdPosition({ pool, place, taken: taken.value, terms: TERMS, lease })
}

/** Takes the position as a standby. */
const takeAs = (holder: string, place: PostgresPlace, waitMs: number, standBy: StandBy) =>
  takePosition({ pool: poolOf(place), place, holder, waitMs, standBy })

/** Signs of life, as its thread sends them. */
function keepAlive(holding: Holding): () => void {
  const timer = setInterval(() => void holding.renew().catch(() => undefined), TERMS.renewMs)
  const stop = (): void => clearInterval(timer)
  onTestFinished(stop)
  return stop
}

const until = async (isTrue: () => boolean | Promise<boolean>) => {
  for (const began = performance.now(); !(await isTrue()); await pause(20))
    if (performance.now() - began > 10_000) throw new Error('waited in vain')
}

describe.skipIf(needs('initdb', postgresSurroundings()))('A position that several daemons may hold', () => {
  beforeAll(async () => void (await startServer()))
  afterAll(stopServer)

  test('is taken by the one that stands by once its holder has been silent for the whole wait, and not before', async () => {
    const place = freshPostgres()
    const first = await hold(place, 'one process 1 on here')
    const stop = keepAlive(first)
    const { standBy, told } = standingBy()
    const taking = takeAs('two process 2', place, 1_000, standBy)
    await until(() => isStoodBy(first))
    expect(told).toEqual(['it is held by process 1 on here'])
    stop()
    const began = performance.now()
    const taken = await taking
    expect(performance.now() - began).toBeGreaterThan(400)
    expect(taken.ok && taken.value.fence).toBeGreaterThan(first.fence)
    await expect(first.renew()).rejects.toThrow('has moved')
    expect(
      await asAdministrator(place, `SELECT * FROM mizani.standby WHERE position = '${place.position}'`),
    ).toEqual([])
  })

  test('is waited for under its holder’s own terms where they are longer, and as usual where it left none', async () => {
    const place = freshPostgres()
    const pool = poolOf(place)
    const longer = await takePosition({ pool, place, holder: 'one process 1', waitMs: 2_500 })
    if (!longer.ok) throw new Error(longer.error.message)
    const began = performance.now()
    const taken = await takePosition({ pool, place, holder: 'two process 2', waitMs: 300 })
    expect(taken.ok).toBe(true)
    expect(performance.now() - began).toBeGreaterThan(2_400)
    // A version before wrote no wait.
    await asAdministrator(place, `DELETE FROM mizani.wait WHERE position = '${place.position}'`)
    const again = performance.now()
    expect((await takePosition({ pool, place, holder: 'three process 3', waitMs: 300 })).ok).toBe(true)
    expect(performance.now() - again).toBeGreaterThan(4_400)
  })

  test('is taken at the next look once its holder has let go', async () => {
    const place = freshPostgres()
    const first = await hold(place, 'one process 1')
    keepAlive(first)
    const { standBy } = standingBy()
    const taking = takeAs('two process 2', place, 60_000, standBy)
    await until(() => isStoodBy(first))
    const began = performance.now()
    await letGo(first)
    expect((await taking).ok).toBe(true)
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test('goes to one of several that stand by, and the others stand by for that one', async () => {
    const place = freshPostgres()
    const first = await hold(place, 'one process 1')
    keepAlive(first)
    const waiting = [2, 3, 4].map((n) => {
      const { standBy, told, end } = standingBy()
      const pool = poolOf(place)
      const result = takePosition({ pool, place, holder: `${n} process ${n}`, waitMs: 1_000, standBy })
      return { n, told, end, pool, result }
    })
    await until(() => waiting.every(({ told }) => told.length > 0))
    await letGo(first)
    const winner = await Promise.race(waiting.map(async (one) => ({ ...one, taken: await one.result })))
    if (!winner.taken.ok) throw new Error('no one took it')
    const { pool, taken } = winner
    keepAlive(holdPosition({ pool, place, taken: taken.value, terms: TERMS }))
    const others = waiting.filter(({ n }) => n !== winner.n)
    await until(() => others.every(({ told }) => told.at(-1) === `it is held by process ${winner.n}`))
    await pause(1_500)
    for (const { end } of others) end()
    for (const { result } of others)
      expect(await result).toMatchObject({ ok: false, error: { kind: 'locked' } })
    // Anyone who ends its wait in order is not left to.
    const left = await asAdministrator(
      place,
      `SELECT * FROM mizani.standby WHERE position = '${place.position}'`,
    )
    expect(left).toEqual([])
  })

  test('is refused to one that does not stand by while its holder lives', async () => {
    const place = freshPostgres()
    keepAlive(await hold(place, 'one process 1 on here'))
    const refused = await takePosition({ pool: poolOf(place), place, holder: 'two process 2', waitMs: 2_000 })
    expect(refused).toMatchObject({ ok: false, error: { kind: 'locked' } })
    expect(JSON.stringify(refused)).toContain('process 1 on here')
  })

  test('shows no sign of life while its loop stands still, and then is taken though its process lives', async () => {
    const place = freshPostgres()
    const lease = createSharedRenewal()
    const loop = countingSide(lease)
    const first = await hold(place, 'one process 1', lease)
    expect(loop.renewed().fence).toBe(first.fence)
    keepAlive(first)
    const { standBy, told } = standingBy()
    const taking = takeAs('two process 2', place, 1_000, standBy)
    // Until it has counted once it is being started, which may take its time.
    await pause(1_500)
    const counting = setInterval(loop.count, 50)
    onTestFinished(() => clearInterval(counting))
    await pause(1_500)
    expect(told).toEqual([expect.stringContaining('process 1')])
    const before = loop.renewed().sentAt.steadyMs
    clearInterval(counting)
    const taken = await taking
    expect(taken.ok && taken.value.fence).toBeGreaterThan(first.fence)
    // The gate of its writes closes by itself: nothing renewed it.
    expect(loop.renewed().sentAt.steadyMs - before).toBeLessThan(500)
  })

  test('is not taken while PostgreSQL cannot be asked, and the wait continues afterwards', async () => {
    const place = freshPostgres()
    const first = await hold(place, 'one process 1')
    keepAlive(first)
    const { standBy, told, end } = standingBy()
    const pool = poolOf(place)
    const taking = takePosition({ pool, place, holder: 'two process 2', waitMs: 1_500, standBy })
    await until(() => told.length === 1)
    const broken = pool.connect.bind(pool)
    pool.connect = (() => Promise.reject(new Error('no route to host'))) as never
    await until(() => told.length === 2)
    expect(told[1]).toContain('(no route to')
    pool.connect = broken as never
    await until(() => told.length === 3)
    expect(told[2]).toContain('process 1')
    end()
    expect((await taking).ok).toBe(false)
  })

  test('is waited for while the server has no room to write, and taken once there is some', async () => {
    const place = freshPostgres()
    const first = await hold(place, 'one process 1')
    const stop = keepAlive(first)
    const { standBy, told } = standingBy()
    const pool = poolOf(place)
    const connect = pool.connect.bind(pool)
    let [refused, hasRoom] = [0, false]
    pool.connect = (async () => {
      const client = await connect()
      const query = (asked: { readonly text: string }) => {
        if (hasRoom || !/INSERT INTO mizani.standby|mizani.take/.test(asked.text)) return client.query(asked)
        refused += 1
        return Promise.reject(Object.assign(new Error('could not extend file'), { code: '53100' }))
      }
      return { query, release: (isBroken?: boolean) => client.release(isBroken) }
    }) as never
    const taking = takePosition({ pool, place, holder: 'two process 2', waitMs: 1_000, standBy })
    await until(() => refused > 2)
    expect(told).toEqual([expect.stringContaining('process 1')])
    stop()
    const before = refused
    await until(() => refused > before + 6)
    hasRoom = true
    expect((await taking).ok).toBe(true)
  })

  test('has someone who stands by only while that one lives: not after it has ended in order, nor after it has died', async () => {
    const place = freshPostgres()
    const first = await hold(place, 'one process 1')
    keepAlive(first)
    expect(await isStoodBy(first)).toBe(false)
    const { standBy, told, end } = standingBy()
    const pool = poolOf(place)
    const taking = takePosition({ pool, place, holder: 'two process 2', waitMs: 60_000, standBy })
    await until(() => told.length > 0)
    expect(await isStoodBy(first)).toBe(true)
    end()
    await taking
    expect(await isStoodBy(first)).toBe(false)
    await sendMessage(poolOf(place), [announce(place, 'dead process 3')], 2_000)
    expect(await isStoodBy(first)).toBe(false)
  })

  test('is handed over to the one that stands by, and nothing is written under the former number from the release on', async () => {
    const place = freshPostgres()
    const lease = createSharedRenewal()
    const first = await hold(place, 'one process 1', lease)
    const { standBy, told } = standingBy()
    const pool = poolOf(place)
    const taking = takePosition({ pool, place, holder: 'two process 2', waitMs: 60_000, standBy })
    await until(() => told.length > 0)
    expect(countingSide(lease).renewed().fence).toBe(first.fence)
    expect(await handOver(first)).toBe(true)
    expect(countingSide(lease).renewed().fence).toBe(0)
    const taken = await taking
    expect(taken.ok && taken.value.fence).toBeGreaterThan(first.fence)
  })

  test('that no one takes after its release is held again by its holder, and anyone who saw it free comes too late', async () => {
    const place = freshPostgres()
    const lease = createSharedRenewal()
    const first = await hold(place, 'one process 1', lease)
    const looking = handOver(first)
    const pool = poolOf(place)
    const look = async () =>
      (await sendMessage(pool, [lookAt(place)], 2_000)).at(-1)?.rows[0] as unknown as SeenFence
    await until(async () => (await look()).holder === null)
    const free = await look()
    expect(await looking).toBe(false)
    expect(countingSide(lease).renewed().fence).toBe(first.fence)
    expect(await look()).toMatchObject({ n: first.fence, holder: 'one process 1' })
    await expect(sendMessage(pool, takeOver(place, 'two process 2', free, 4_500), 2_000)).rejects.toThrow(
      'its holder lives',
    )
    await first.renew()
  })

  test('lets nothing out by a sign of life that is answered after the hand-over has begun', async () => {
    const place = freshPostgres()
    const lease = createSharedRenewal()
    const first = await hold(place, 'one process 1', lease)
    countingSide(lease).count()
    const renewing = first.renew()
    first.handsOver.end()
    await renewing
    expect(countingSide(lease).renewed().fence).toBe(0)
  })

  test('that cannot be taken back, because PostgreSQL is away, stays closed to writes', async () => {
    const place = freshPostgres()
    const lease = createSharedRenewal()
    const first = await hold(place, 'one process 1', lease)
    const away = { connect: () => Promise.reject(new Error('no route to host')) }
    expect(await isStoodBy({ ...first, pool: away })).toBe(false)
    expect(await handOver({ ...first, pool: away })).toBe(false)
    expect(countingSide(lease).renewed().fence).toBe(0)
  })

  test('is shown as held by one that lives only once its counter has moved', async () => {
    const place = freshPostgres()
    const stop = keepAlive(await hold(place, 'one process 1'))
    stop()
    const told: boolean[] = []
    const ending = new AbortController()
    const standBy = { onHeld: (_: string, lives: boolean) => void told.push(lives), signal: ending.signal }
    const taking = takeAs('two process 2', place, 1_000, standBy)
    expect((await taking).ok).toBe(true)
    expect(told).toEqual([false])
    const next = takeAs('three process 3', place, 3_000, standBy)
    const second = await asAdministrator(
      place,
      `SELECT n FROM mizani.beat WHERE position = '${place.position}'`,
    )
    await until(() => told.length === 2)
    await asAdministrator(
      place,
      `UPDATE mizani.beat SET count = count + 1 WHERE n = ${Number(second[0]?.['n'])}`,
    )
    await until(() => told.length === 3)
    expect(told.at(-1)).toBe(true)
    ending.abort()
    await next
  })

  test('keeps its treasury going after a take-over by a machine that saw it held, and not where a backup was put back', async () => {
    const place = freshPostgres()
    await valueOf(await open(place)).close()
    const path = freshPlace('SQLite') as string
    const store = { path, place }
    expect(readStoreOrigin(store, true).isRestored).toBe(true)
    await adoptWhileHeld(store)
    expect(readStoreOrigin(store, true).isRestored).toBe(false)
    // What the folder knew before is not forgotten: another database is another one.
    const other = freshPostgres()
    await valueOf(await open(other)).close()
    await adoptWhileHeld({ path, place: other })
    expect(readStoreOrigin({ path, place: other }, true).isRestored).toBe(true)
  })

  test('asks once more after its process was stopped, and gives up where only PostgreSQL was silent', async () => {
    const place = freshPostgres()
    const pool = poolOf(place)
    const taken = await takePosition({ pool, place, holder: 'one process 1', waitMs: 1_000 })
    if (!taken.ok) throw new Error(taken.error.message)
    const terms = { ...TERMS, giveUpMs: 1_000 }
    const { untilAnswered } = holdPosition({ pool, place, taken: taken.value, terms })
    const clock = vi.spyOn(Date, 'now')
    onTestFinished(() => clock.mockRestore())
    const real = performance.timeOrigin + performance.now()
    let attempts = 0
    const late = untilAnswered(() => {
      attempts += 1
      clock.mockReturnValue(real + 60_000)
      return attempts === 1 ? Promise.reject(new Error('Query read timeout')) : Promise.resolve('deposed')
    })
    expect(await late).toBe('deposed')
    const silent = untilAnswered(() => Promise.reject(new Error('Query read timeout')))
    await expect(silent).rejects.toThrow('Query read timeout')
  })

  describe('served by a journal thread', () => {
    type Served = {
      readonly port: MessagePort
      readonly replies: JournalReply[]
      readonly lease: SharedArrayBuffer
    }

    function serve(place: PostgresPlace, more: Partial<JournalInit> = {}): Served {
      const { port1, port2 } = new MessageChannel()
      const replies: JournalReply[] = []
      const lease = createSharedRenewal()
      port1.on('message', (reply: JournalReply) => void replies.push(reply))
      const startedAt = '2026-01-02T03:04:05.000Z'
      void serveJournal(port2, {
        place,
        pid: process.pid,
        startedAt,
        maxBytes: null,
        terms: TERMS,
        lease,
        ...more,
      })
      onTestFinished(() => port1.close())
      return { port: port1, replies, lease }
    }

    /** What the thread answers to one call. */
    async function answerTo({ port, replies }: Served, call: JournalCall): Promise<unknown> {
      const id = replies.length
      port.postMessage({ type: 'call', id, call })
      const found = () => replies.find((reply) => reply.type === 'answer' && reply.id === id)
      await until(() => found() !== undefined)
      return (found() as { readonly answer: unknown }).answer
    }

    const has = ({ replies }: Served, type: JournalReply['type']) =>
      replies.some((reply) => reply.type === type)

    test('reports that it stands by, that one stands by for it, and opens where the other one has closed', async () => {
      const place = freshPostgres()
      const elsewhere = { ...place, folder: freshPlace('SQLite') as string }
      const first = serve(place)
      await until(() => has(first, 'opened'))
      first.port.postMessage([['event', 1, eventOf(1)]])
      await until(() => has(first, 'durable'))
      const second = serve(elsewhere, { standsBy: true })
      await until(() => has(second, 'standby'))
      expect(await answerTo(first, { handOver: 'look' })).toBe(1)
      expect(has(second, 'opened')).toBe(false)
      first.port.postMessage({ type: 'close' })
      await until(() => has(second, 'opened'))
      expect(second.replies.at(-1)).toMatchObject({ type: 'opened', lastSeq: 1 })
      second.port.postMessage({ type: 'close' })
      await until(() => has(second, 'closed'))
    })

    test('opens though a connection is cut after the grant, while its tables are read', async () => {
      const place = freshPostgres()
      const elsewhere = { ...place, folder: freshPlace('SQLite') as string }
      const first = serve(place)
      await until(() => has(first, 'opened'))
      // The next holder waits for this lock where it reads its tables, and is cut off there.
      const blocking = poolOf(place)
      const client = await blocking.connect()
      await client.query(`BEGIN; LOCK TABLE "mizani_${place.position}".snapshots`)
      const second = serve(elsewhere, { standsBy: true })
      await until(() => has(second, 'standby'))
      first.port.postMessage({ type: 'close' })
      const waiting = `FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%snapshots%'`
      await until(async () => (await asAdministrator(place, `SELECT pid ${waiting}`)).length === 1)
      await asAdministrator(place, `SELECT pg_terminate_backend(pid) ${waiting}`)
      await until(async () => (await asAdministrator(place, `SELECT pid ${waiting}`)).length === 1)
      await client.query('COMMIT')
      client.release()
      await until(() => has(second, 'opened'))
      second.port.postMessage({ type: 'close' })
      await until(() => has(second, 'closed'))
    })

    test('ends its wait when it is asked to close, and reports when it was deposed', async () => {
      const place = freshPostgres()
      const first = serve(place)
      await until(() => has(first, 'opened'))
      const second = serve({ ...place, folder: freshPlace('SQLite') as string }, { standsBy: true })
      await until(() => has(second, 'standby'))
      second.port.postMessage({ type: 'close' })
      await until(() => has(second, 'refused'))
      await asAdministrator(place, `UPDATE mizani.fence SET n = n + 1 WHERE position = '${place.position}'`)
      await asAdministrator(place, `UPDATE mizani.beat SET n = n + 1 WHERE position = '${place.position}'`)
      await until(() => has(first, 'failed'))
      expect(first.replies.at(-1)).toMatchObject({ failure: { kind: 'locked' } })
      first.port.postMessage({ type: 'close' })
      await until(() => has(first, 'closed'))
    })
  })
})
