import { randomBytes } from 'node:crypto'
import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { type SandboxServer, startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { asAdministrator, startServer, stopServer } from '../../contract/store/both-stores.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings, type PostgresServer } from '../../support/postgres.ts'
import { mountSmallDisk, skipUnlessMounts } from '../../support/small-disk.ts'
import { expectEqualBooks } from '../daemon/compare-books.ts'
import { quoteOf } from '../daemon/open-market.ts'
import { BUSY_VENUE, MORNING, positionFolder } from '../daemon/position-folder.ts'
import { replayStore } from '../daemon/replay-store.ts'
import { endDaemons, runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { stoppableWorld } from '../daemon/stoppable-world.ts'
import { until } from '../daemon/until.ts'

const KILLS = 3
const SAFE_BPS = 400

let server: PostgresServer
let positions = 0

type Desk = Awaited<ReturnType<typeof deskOnPostgres>>

/** A venue with takers, and a position at it whose store is in PostgreSQL. */
async function deskOnPostgres() {
  const name = `desk-${++positions}`
  const { world, stop } = stoppableWorld('normal', positions, MORNING, { alone: true })
  const venue = await startSandbox(
    { ...BUSY_VENUE, startMs: MORNING, speed: 150, seed: positions, isActive: true },
    world,
  )
  const folder = positionFolder(venue.url, name)
  const risk = { unexplainedGraceMs: 60_000, errorCyclesThreshold: 1_000 }
  const config = folder.configure({ store: { postgres: server.url }, risk, quote: { safeBps: SAFE_BPS } })
  const place: PostgresPlace = { url: server.url, position: name, folder: folder.store }
  async function close(): Promise<void> {
    await venue.close()
    folder.remove()
  }
  return { venue, config, place, stop, close, start: () => runDaemon({ configs: [config] }) }
}

/** Every fill of the venue is booked once, to the last unit, in the daemon and in its store. */
async function expectReconciled({ venue, place, stop }: Desk, daemon: RunningDaemon): Promise<void> {
  const fillCount = () => venue.model.book().ours.fills.length
  await until('someone has traded', () => fillCount() > 0)
  stop()
  const view = await until(
    'the books are reconciled with all fills',
    async () => {
      const seen = await daemon.state()
      return seen.reconciliation.state === 'reconciled' && seen.fills.total === fillCount() && seen
    },
    { otherwise: () => daemon.state() },
  )
  expect(view.reconciliation.unreconciled).toEqual({})
  expect(view.fills.total).toBeGreaterThan(0)
  await expectEqualBooks(venue.model, place, view)
}

const quoted = (venue: SandboxServer, bidBps: number) =>
  until(`the venue quotes bid ${bidBps}`, async () => (await quoteOf(venue)).bidBps === bidBps)

describe.skipIf(needs('initdb', postgresSurroundings()))('a daemon whose store is in PostgreSQL', () => {
  beforeAll(async () => {
    const started = await startServer()
    if (started === null) throw new Error('the server did not start')
    server = started
  })
  afterAll(async () => {
    await endDaemons()
    stopServer()
  })

  describe('on one desk, in turn', () => {
    let desk: Desk
    let daemon: RunningDaemon
    beforeAll(async () => {
      desk = await deskOnPostgres()
    })
    afterAll(() => desk.close())

    test('sends the safe quote and ends with words for it where PostgreSQL stays away, and comes back with it', async () => {
      const first = desk.start()
      await quoted(desk.venue, 60)
      server.pause()
      onTestFinished(server.resume)
      expect(await first.exit).toEqual({ code: 1, signal: null })
      expect(first.errors()).toMatch(/PostgreSQL at 127\.0\.0\.1:\d+\/postgres, position desk-\d+ /)
      expect(first.errors()).toContain('this machine reaches')
      expect(await quoteOf(desk.venue)).toEqual({ bidBps: SAFE_BPS, askBps: SAFE_BPS, isActive: true })

      const refused = desk.start()
      expect(await refused.exit).toEqual({ code: 1, signal: null })
      expect(refused.errors()).toContain('that PostgreSQL runs')

      server.resume()
      daemon = desk.start()
      await quoted(desk.venue, 60)
      await until('the books are reconciled', async () => {
        const { reconciliation, fills } = await daemon.state()
        return reconciliation.state === 'reconciled' && fills.total > 0
      })
    })

    test('continues through a restart of PostgreSQL that is shorter than 0.8 s, and its quote stands all the time', async () => {
      await quoted(desk.venue, 60)
      const seen = new Set<number>()
      const watch = setInterval(() => void quoteOf(desk.venue).then(({ bidBps }) => seen.add(bidBps)), 50)
      onTestFinished(() => clearInterval(watch))
      const events = (await daemon.state()).lastSeq
      // Nothing answers, then every connection is gone: what a restart looks like from outside, in a time that is known.
      server.pause()
      await pause(400)
      server.resume()
      await asAdministrator(
        server,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mizani'`,
      )
      await until('the daemon journals on', async () => (await daemon.state()).lastSeq > events + 20)
      await pause(2_500)
      expect(daemon.child.exitCode).toBeNull()
      expect([...seen]).toEqual([60])
    })

    test(`loses no fill and counts none twice by kill -9 at ${KILLS} random points under load, and replays to the same digest`, async () => {
      const random = seededRandom(7, 'kills on PostgreSQL')
      for (let kill = 0; kill < KILLS; kill++) {
        if (kill > 0) daemon = desk.start()
        await daemon.url()
        await pause(300 + random() * 700)
        expect({ ...(await daemon.kill('SIGKILL')), said: daemon.errors() }).toEqual({
          code: null,
          signal: 'SIGKILL',
          said: '',
        })
      }
      const last = desk.start()
      await last.url()
      await expectReconciled(desk, last)
      expect(await last.kill('SIGTERM')).toEqual({ code: 0, signal: null })
      const twice = [await replayStore(desk.config), await replayStore(desk.config)]
      expect(twice[0]).toEqual(twice[1])
    })
  })

  test('sends the safe quote as it was set last, and ends with words for it, where the disk of PostgreSQL is full', async (context) => {
    skipUnlessMounts(context)
    const limited = join(server.folder, 'small')
    mountSmallDisk(limited)
    const { uid, gid } = statSync(server.folder)
    chownSync(limited, uid, gid)
    await asAdministrator(server, `CREATE TABLESPACE small LOCATION '${limited}'`)
    await asAdministrator(server, 'ALTER DATABASE postgres SET default_tablespace = small')
    onTestFinished(() =>
      asAdministrator(server, 'ALTER DATABASE postgres RESET default_tablespace').then(() => undefined),
    )
    const desk = await deskOnPostgres()
    onTestFinished(desk.close)
    const daemon = desk.start()
    await quoted(desk.venue, 60)
    const raised = await daemon.post('reload', { changes: { 'quote.safeBps': 450 } })
    expect(raised).toMatchObject({ status: 200, body: { accepted: true } })
    await asAdministrator(server, 'CREATE TABLE filler (body bytea)')
    for (const bytes of [400_000, 40_000, 4_000, 400])
      for (let isFull = false; !isFull;) {
        const body = randomBytes(bytes).toString('hex')
        isFull = await asAdministrator(server, `INSERT INTO filler VALUES ('\\x${body}')`).then(
          () => false,
          (error: unknown) => (error as { readonly code?: unknown }).code === '53100',
        )
      }
    expect(await daemon.exit).toEqual({ code: 1, signal: null })
    expect(daemon.errors()).toMatch(/no room .* position/)
    expect(daemon.errors()).toContain('free some space')
    expect(await quoteOf(desk.venue)).toEqual({ bidBps: 450, askBps: 450, isActive: true })
  })
})
