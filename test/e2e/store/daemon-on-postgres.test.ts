import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { type SandboxServer, startSandbox } from '../../../src/sandbox/server/server.ts'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { startServer, stopServer } from '../../contract/store/both-stores.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings, type PostgresServer } from '../../support/postgres.ts'
import { expectEqualBooks } from '../daemon/compare-books.ts'
import { quoteOf } from '../daemon/open-market.ts'
import { BUSY_VENUE, MORNING, positionFolder } from '../daemon/position-folder.ts'
import { replayStore } from '../daemon/replay-store.ts'
import { endDaemons, runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { stoppableWorld } from '../daemon/stoppable-world.ts'
import { until } from '../daemon/until.ts'

const KILLS = 3

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
  onTestFinished(() => venue.close())
  const folder = positionFolder(venue.url, name)
  onTestFinished(folder.remove)
  const risk = { unexplainedGraceMs: 60_000, errorCyclesThreshold: 1_000 }
  const config = folder.configure({ store: { postgres: server.url }, risk })
  const place: PostgresPlace = { url: server.url, position: name, folder: folder.store }
  return { venue, config, place, stop, start: () => runDaemon({ configs: [config] }) }
}

/** Every fill of the venue is booked once, to the last unit, in the daemon and in its store. */
async function expectReconciled({ venue, place, stop }: Desk, daemon: RunningDaemon): Promise<void> {
  stop()
  const view = await until(
    'the books are reconciled with all fills',
    async () => {
      const seen = await daemon.state()
      const all = venue.model.book().ours.fills.length
      return seen.reconciliation.state === 'reconciled' && seen.fills.total === all && seen
    },
    { withinMs: 40_000, otherwise: () => daemon.state() },
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

  test(`loses no fill and counts none twice by kill -9 at ${KILLS} random points under load, and replays to the same digest`, async () => {
    const desk = await deskOnPostgres()
    const random = seededRandom(7, 'kills on PostgreSQL')
    for (let kill = 0; kill < KILLS; kill++) {
      const daemon = desk.start()
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

  test('sends the safe quote and ends with words for it where PostgreSQL stays away, and comes back with it', async () => {
    const desk = await deskOnPostgres()
    const daemon = desk.start()
    await quoted(desk.venue, 60)
    server.pause()
    onTestFinished(server.resume)
    expect(await daemon.exit).toEqual({ code: 1, signal: null })
    expect(daemon.errors()).toMatch(
      /the store in PostgreSQL at 127\.0\.0\.1:\d+\/postgres, position desk-\d+ cannot be used/,
    )
    expect(daemon.errors()).toContain('check that PostgreSQL runs and that this machine reaches it')
    expect(await quoteOf(desk.venue)).toEqual({ bidBps: 500, askBps: 500, isActive: true })

    const refused = desk.start()
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(refused.errors()).toContain('check that PostgreSQL runs')

    server.resume()
    const again = desk.start()
    await quoted(desk.venue, 60)
    await expectReconciled(desk, again)
    await again.kill('SIGTERM')
  })
})
