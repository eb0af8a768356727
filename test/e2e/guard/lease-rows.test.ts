import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import type { ConfigPatch } from '../daemon/position-folder.ts'
import { runMizani } from '../daemon/run-mizani.ts'
import type { RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { besidePostgres } from '../standby/beside-postgres.ts'
import { severableLink } from '../standby/severable-link.ts'
import { type Cut, cuttableWay } from './cuttable-way.ts'
import { guardedDesk } from './guarded-desk.ts'

// A guard of a position whose store is in PostgreSQL: real processes, a real server, and ways that are cut one by one.

const MOST_BYTES = 75_000_000
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
  return {
    desk,
    daemon,
    guard: guardian,
    toDatabase,
    /** The daemon's renewals; its way to PostgreSQL stays. */
    cut: (what: Cut) => toGuard.cut(what),
    heal: () => toGuard.heal(),
    /** The guard knows that the daemon lives, and does not act for longer than it would wait for a dead one. */
    async letsBe(): Promise<void> {
      await until(
        'the guard knows that it lives',
        () => guardian.output().includes('cut off from this guard'),
        {
          otherwise: () => guardian.output(),
        },
      )
      await pause(LONG_ENOUGH_MS)
      expect(guardian.output()).not.toContain('has been silent')
    },
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
  test.concurrent('lets a daemon be that is cut off from it alone and has left the safe quote, and acts when that one dies; it takes 75 MB at most', async () => {
    const it = await deskInPostgres(databaseUrl(), 'cut-off')
    it.cut('both')
    await until('the daemon has left the safe quote', it.desk.isSafe, {
      otherwise: () => it.daemon.state(),
    })
    await it.letsBe()
    expect(await it.desk.isSafe()).toBe(true)
    it.heal()
    await it.desk.quoting(it.daemon)
    expect((await it.daemon.state()).guard?.fence).toBe(1)
    expect(await it.status()).toMatch(/lease 1 is held.*\n {2}PostgreSQL: held by .*, moved \d\.\d s ago\n/)

    await it.daemon.kill('SIGKILL')
    await until('the guard confirms the safe quote', () => it.guard.output().includes('confirmed safe'), {
      otherwise: () => it.guard.output(),
    })
    expect(await it.desk.isSafe()).toBe(true)
    expect(residentBytes(it.guard)).toBeLessThan(MOST_BYTES)
    await it.close()
  })

  test.concurrent('lets a daemon quote on that is cut off from it alone, where guard.whenSilent is carry-on', async () => {
    const it = await deskInPostgres(databaseUrl(), 'carry-on', { whenSilent: 'carry-on' })
    it.cut('both')
    await it.letsBe()
    expect(await it.desk.quote()).toMatchObject({ bidBps: 60, askBps: 70 })
    await it.daemon.kill('SIGTERM')
    await it.close()
  })

  test.concurrent('acts as without them while PostgreSQL is out of its reach, and does not fight', async () => {
    const it = await deskInPostgres(databaseUrl(), 'unread')
    it.toDatabase.cut()
    await until('the guard cannot read them', () => it.guard.output().includes('cannot be read'), {
      otherwise: () => it.guard.output(),
    })
    expect(await it.status()).toMatch(/lease 1 is held.*\n {2}PostgreSQL: its rows cannot be read/)
    it.cut('both')
    await until('the guard acts', () => it.guard.output().includes('confirmed safe'), {
      otherwise: () => it.guard.output(),
    })
    it.heal()
    await it.desk.quoting(it.daemon)
    expect(it.daemon.output()).not.toContain('foreign-write')
    await it.daemon.kill('SIGTERM')
    await it.close()
  })
})
