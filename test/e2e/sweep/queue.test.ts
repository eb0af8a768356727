import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { joinSweep } from '../../../src/research/sweep/join-sweep.ts'
import { openQueueDatabase } from '../../../src/research/queue/database.ts'
import { runSweep, type SweepEnd, SWEEPS } from '../../../src/research/sweep/run-sweep.ts'
import { emptyFolder, fakeManifest, fakeOrder } from '../../unit/research/sweep/fake-sweep.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings, startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { until } from '../daemon/until.ts'
import { endFakes, startFake, type FakeProcess } from './fake-process.ts'

const LEASE_MS = 1_500

describe.skipIf(needs('initdb', postgresSurroundings()))('a sweep over a queue', () => {
  let server: PostgresServer
  let admin: Client
  let url = ''
  let database = 0
  const folders: ReturnType<typeof emptyFolder>[] = []

  beforeAll(async () => {
    server = await startPostgres()
    await connectAdmin()
  })

  beforeEach(async () => {
    database += 1
    await admin.query(`create database sweep_${database}`)
    url = server.url.replace(/postgres$/, `sweep_${database}`)
  })

  afterEach(async () => {
    await endFakes()
    for (const folder of folders.splice(0)) folder.remove()
  })

  afterAll(async () => {
    await admin.end()
    server.stop()
  })

  async function connectAdmin(): Promise<void> {
    admin = new Client({ connectionString: server.url })
    await admin.connect()
  }
  const queue = () => ({ url, leaseMs: LEASE_MS })
  const newFolder = (): string => {
    const folder = emptyFolder()
    folders.push(folder)
    return folder.path
  }
  const begunIn = (log: string): readonly string[] =>
    existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  const joiner = (tape: object, workers = 1): FakeProcess =>
    startFake({ out: null, workers, tape, queue: queue() })

  async function asked<Row extends object>(text: string): Promise<Row[]> {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }
  const resultsByVariant = () =>
    asked<{ variant: number; count: number }>(
      'select variant, count(*)::int from mizani_sweep.result group by variant order by variant',
    )
  const jobsLeft = async () =>
    (await asked<{ count: number }>('select count(*)::int from mizani_sweep_jobs.jobs'))[0]?.count
  const published = () => until('it is published', async () => (await jobsLeft().catch(() => 0)) === 13)
  const onceEach = Array.from({ length: 13 }, (_, variant) => ({ variant, count: 1 }))

  async function localDigest(): Promise<string> {
    return digestOf(await runSweep(fakeOrder(newFolder())))
  }
  function digestOf(end: unknown): string {
    const { value } = end as { value: SweepEnd }
    if (value.kind !== 'complete') throw new Error(JSON.stringify(end))
    return value.result.digest
  }

  test('gives the result of the local one', async () => {
    const queued = await runSweep(fakeOrder(newFolder(), { tookMs: 2 }, { queue: queue(), workers: 2 }))
    expect(digestOf(queued)).toBe(await localDigest())
    expect(await resultsByVariant()).toEqual(onceEach)
    expect(await jobsLeft()).toBe(0)
  })

  test('whose worker is killed in the middle: its job is done again once, and every variant has one result', async () => {
    const log = join(newFolder(), 'log')
    const out = newFolder()
    const running = runSweep(fakeOrder(out, {}, { queue: queue(), workers: 0 }))
    await published()
    const victim = joiner({ tookMs: 1_500, log })
    await until('the first worker is at its second job', () => begunIn(log).length === 2)
    victim.child.kill('SIGKILL')
    await victim.ended
    const killedAt = performance.now()
    const held = begunIn(log).at(-1)
    const others = [joiner({ tookMs: 60, log }), joiner({ tookMs: 60, log })]
    expect(digestOf(await running)).toBe(await localDigest())
    // The lease, a look for silent workers, a look for jobs, and the jobs; left to itself the queue waits four hours.
    expect(performance.now() - killedAt).toBeLessThan(30_000)
    for (const { ended } of others)
      expect(await ended).toMatchObject({ ok: true, value: { ended: 'complete' } })
    expect(await resultsByVariant()).toEqual(onceEach)
    const begun = begunIn(log)
    expect(begun.filter((variant, index) => begun.indexOf(variant) !== index)).toEqual([held])
  })

  test('keeps one result of a variant, also when a worker that was thought dead brings it again', async () => {
    const running = runSweep(fakeOrder(newFolder(), {}, { queue: queue(), workers: 0 }))
    await published()
    const sleeper = joiner({ tookMs: 1_000 })
    await until('it has begun', () => sleeper.done() >= 1)
    sleeper.child.kill('SIGSTOP')
    const other = joiner({ tookMs: 0 })
    await other.ended
    expect(digestOf(await running)).toBe(await localDigest())
    sleeper.child.kill('SIGCONT')
    expect(await sleeper.ended).toMatchObject({ ok: true, value: { ended: 'complete' } })
    expect(await resultsByVariant()).toEqual(onceEach)
    expect(await jobsLeft()).toBe(0)
  })

  test('whose coordinator is killed: the others finish it, and it takes the results without running anything', async () => {
    const log = join(newFolder(), 'log')
    const out = newFolder()
    const coordinator = startFake({ out, workers: 1, tape: { tookMs: 1_000, log }, queue: queue() })
    await until('it has begun', () => coordinator.done() >= 1)
    const helper = joiner({ tookMs: 50, log })
    await until('another one joined', () => helper.done() >= 1)
    coordinator.child.kill('SIGKILL')
    expect(await helper.ended).toMatchObject({ ok: true, value: { ended: 'complete' } })
    const before = begunIn(log).length
    const again = startFake({ out, workers: 1, tape: { tookMs: 1_000, log }, queue: queue() })
    expect(digestOf(await again.ended)).toBe(await localDigest())
    expect(begunIn(log)).toHaveLength(before)
    expect(await resultsByVariant()).toEqual(onceEach)
  })

  test('can be left by a worker, who finishes its job first, so that no one has to do it again', async () => {
    const log = join(newFolder(), 'log')
    const running = runSweep(fakeOrder(newFolder(), {}, { queue: queue(), workers: 0 }))
    await published()
    const leaver = joiner({ tookMs: 400, log })
    await until('it has begun', () => leaver.done() >= 1)
    leaver.child.kill('SIGTERM')
    expect(await leaver.ended).toMatchObject({ ok: true, value: { ended: 'left' } })
    const locked = await asked('select 1 from mizani_sweep_jobs.jobs where locked_by is not null')
    expect(locked).toEqual([])
    const other = joiner({ tookMs: 0, log }, 2)
    expect(digestOf(await running)).toBe(await localDigest())
    await other.ended
    expect(begunIn(log)).toHaveLength(13)
  })

  test('continues where a local one stopped: finished variants are not run again', async () => {
    const out = newFolder()
    const leaving = new AbortController()
    await runSweep(
      fakeOrder(
        out,
        { tookMs: 2 },
        { signal: leaving.signal, observe: ({ done }) => (done === 6 ? leaving.abort() : undefined) },
      ),
    )
    const log = join(newFolder(), 'log')
    const end = await runSweep(fakeOrder(out, { log }, { queue: queue() }))
    expect(digestOf(end)).toBe(await localDigest())
    expect(begunIn(log)).toHaveLength(7)
  })

  test('published twice has each job once, also while one is being worked at', async () => {
    const opened = await openQueueDatabase(SWEEPS, url, 3)
    if (!opened.ok) throw new Error(opened.error)
    const manifest = fakeManifest()
    await Promise.all([opened.value.publish(manifest, []), opened.value.publish(manifest, [])])
    expect(await jobsLeft()).toBe(13)
    await asked(
      "update mizani_sweep_jobs._private_jobs set locked_by = 'somebody', locked_at = now() where id = 3",
    )
    await opened.value.publish(manifest, [])
    expect(await jobsLeft()).toBe(13)
    await opened.value.close()
  })

  test('is refused to a worker with another tape, and there is nothing to join where nothing is open', async () => {
    const lonely = joiner({})
    expect(await lonely.ended).toEqual({
      ok: false,
      error: expect.stringContaining('no sweep') as string,
    })
    const leaving = new AbortController()
    const running = runSweep(
      fakeOrder(newFolder(), {}, { queue: queue(), workers: 0, signal: leaving.signal }),
    )
    await published()
    const stranger = startFake({ out: null, workers: 1, tape: {}, queue: queue(), tapeIdentity: 'another' })
    expect(await stranger.ended).toEqual({
      ok: false,
      error: expect.stringMatching(/not the same content/) as string,
    })
    leaving.abort()
    expect(await running).toMatchObject({ value: { kind: 'left', progress: { done: 0 } } })
  })

  test('stops for everybody at a variant that fails, and starts anew when it is started again', async () => {
    const out = newFolder()
    const running = runSweep(fakeOrder(out, {}, { queue: queue(), workers: 0 }))
    await published()
    const { product, configs, tape } = fakeManifest()
    const order = fakeOrder('', { fails: 4 })
    const failed = /^variant 4 \(halfSpreadBps=60 maxSkewBps=0\): the tape has no balances/
    expect(
      await joinSweep({
        ...order,
        queue: queue(),
        waitMs: 0,
        identityOf: () => Promise.resolve({ ok: true, value: { product, configs, tape } }),
      }),
    ).toMatchObject({
      error: expect.stringMatching(failed) as string,
    })
    expect(await running).toMatchObject({ error: expect.stringMatching(failed) as string })
    expect(digestOf(await runSweep(fakeOrder(out, {}, { queue: queue() })))).toBe(await localDigest())
  })

  test('is joined by a worker that waits for it, as for the next generation of a search', async () => {
    const { product, configs, tape } = fakeManifest()
    const joined = joinSweep({
      ...fakeOrder('', {}),
      queue: queue(),
      waitMs: 30_000,
      identityOf: () => Promise.resolve({ ok: true, value: { product, configs, tape } }),
    })
    const ran = runSweep(fakeOrder(newFolder(), {}, { queue: queue(), workers: 0 }))
    expect(await joined).toMatchObject({ ok: true, value: { ended: 'complete' } })
    expect(digestOf(await ran)).toBe(await localDigest())
  })

  test('survives a restart of the database', async () => {
    const out = newFolder()
    const running = runSweep(fakeOrder(out, { tookMs: 100 }, { queue: queue(), workers: 1 }))
    await until('it has begun', async () => (await resultsByVariant().catch(() => [])).length >= 3)
    await admin.end()
    server.restart()
    await connectAdmin()
    expect(digestOf(await running)).toBe(await localDigest())
    expect(await resultsByVariant()).toEqual(onceEach)
  })

  test('without a database is an error that says why, and never the password', async () => {
    const away = url.replace(/\/\/mizani@127\.0\.0\.1:\d+/, '//mizani:s3cret@127.0.0.1:1')
    const refused = await runSweep(fakeOrder(newFolder(), {}, { queue: { url: away, leaseMs: LEASE_MS } }))
    expect(refused).toMatchObject({
      ok: false,
      error: expect.stringMatching(/--queue: .*ECONNREFUSED/) as string,
    })
    expect(JSON.stringify(refused)).not.toContain('s3cret')
  })
})
