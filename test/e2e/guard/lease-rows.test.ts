import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import type { ConfigPatch } from '../daemon/position-folder.ts'
import { runMizani } from '../daemon/run-mizani.ts'
import type { RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { besidePostgres } from '../standby/beside-postgres.ts'
import { severableLink } from '../standby/severable-link.ts'
import { cuttableWay } from './cuttable-way.ts'
import { guardedDesk } from './guarded-desk.ts'

// A guard of a position whose store is in PostgreSQL: real processes, a real server, and ways that are cut one by one.

const MOST_BYTES = 75_000_000
const NEXT = { concurrent: false }
/** Longer than D and the seconds in which a guard looks for the safe quote. */
const LONG_ENOUGH_MS = 12_000

function residentBytes({ child }: RunningDaemon): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
  return Number(found?.[1]) * 1_024
}

/** A daemon that quotes under a lease, and a guard that reaches it and PostgreSQL by ways of its own. */
async function deskInPostgres(databaseUrl: string, name: string, guard: ConfigPatch = {}) {
  const guardPort = await freePort()
  const toGuard = await cuttableWay(guardPort)
  const { hostname, port } = new URL(databaseUrl)
  const toDatabase = await severableLink({ host: hostname, port: Number(port) })
  const throughLink = new URL(databaseUrl)
  throughLink.port = String(toDatabase.port)
  const desk = await guardedDesk(
    { port: guardPort, url: toGuard.url, ...guard },
    { name, store: { postgres: databaseUrl } },
  )
  const guardian = await desk.startGuard({}, { store: { postgres: throughLink.href } })
  const daemon = desk.startDaemon()
  await desk.quoting(daemon)
  let cutAt = 0
  const said = () => guardian.output().slice(cutAt)
  return {
    desk,
    daemon,
    guard: guardian,
    toDatabase,
    /** The daemon's renewals; its way to PostgreSQL stays. */
    cut(): void {
      cutAt = guardian.output().length
      toGuard.cut()
    },
    heal: () => toGuard.heal(),
    /** The guard knows that the daemon lives, and does not act for longer than it would wait for a dead one. */
    async letsBe(): Promise<void> {
      await until('the guard knows that it lives', () => said().includes('cut off only from this guard'), {
        otherwise: said,
      })
      await pause(LONG_ENOUGH_MS)
      expect(said()).not.toContain('has been silent')
    },
    /** Since the way was cut. */
    acts: () =>
      until('the guard confirms the safe quote', () => said().includes('confirmed safe'), {
        otherwise: said,
      }),
    async status() {
      const { out } = await runMizani(['guard', 'status', '--config', desk.config], {})
      return out
    },
    async close(): Promise<void> {
      await guardian.kill('SIGTERM')
      toGuard.close()
      toDatabase.close()
      await desk.close()
    },
  }
}

besidePostgres('A guard that reads the lease rows of PostgreSQL', (databaseUrl) => {
  describe.concurrent('of a daemon that leaves the safe quote', () => {
    let it: Awaited<ReturnType<typeof deskInPostgres>>
    beforeAll(async () => {
      it = await deskInPostgres(databaseUrl(), 'cut-off')
    })
    afterAll(() => it.close())

    test('acts as without them while PostgreSQL is out of its reach, and does not fight', NEXT, async () => {
      it.toDatabase.cut()
      await until('the guard cannot read them', () => it.guard.output().includes('cannot be read'), {
        otherwise: () => it.guard.output(),
      })
      expect(await it.status()).toMatch(/lease 1 is held.*\n {2}PostgreSQL: /)
      it.cut()
      await it.acts()
      it.heal()
      await it.desk.quoting(it.daemon)
      expect(it.daemon.output()).not.toContain('foreign-write')
      it.toDatabase.heal()
      await until('the guard reads them', () => it.guard.output().includes('are read again'), {
        otherwise: () => it.guard.output(),
      })
    })

    test(
      'lets a daemon be that is cut off from it alone and has left the safe quote, and acts when that one dies; it takes 75 MB at most',
      NEXT,
      async () => {
        const fence = (await it.daemon.state()).guard?.fence
        it.cut()
        await until('the daemon has left the safe quote', it.desk.isSafe, {
          otherwise: () => it.daemon.state(),
        })
        await it.letsBe()
        expect(await it.desk.isSafe()).toBe(true)
        it.heal()
        await it.desk.quoting(it.daemon)
        expect((await it.daemon.state()).guard?.fence).toBe(fence)
        expect(await it.status()).toMatch(
          new RegExp(`lease ${fence} .*\\n {2}PostgreSQL: held .* \\d\\.\\d s`),
        )

        await it.daemon.kill('SIGKILL')
        await it.acts()
        expect(await it.desk.isSafe()).toBe(true)
        expect(residentBytes(it.guard)).toBeLessThan(MOST_BYTES)
      },
    )
  })

  test.concurrent('lets a daemon quote on that is cut off from it alone, where guard.whenSilent is carry-on', async () => {
    const it = await deskInPostgres(databaseUrl(), 'carry-on', { whenSilent: 'carry-on' })
    it.cut()
    await it.letsBe()
    expect(await it.desk.quote()).toMatchObject({ bidBps: 60, askBps: 70 })
    await it.daemon.kill('SIGTERM')
    await it.close()
  })
})
